# Serves the files of the folder public.
FROM nginx:alpine
COPY public/ /usr/share/nginx/html/
