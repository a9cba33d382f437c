import { directoryServer } from '../../support/directory-server.ts';
import { attack } from '../../support/hostile/attack.ts';
import { directoryCases, directoryPasswordCases } from '../../support/hostile/directory.ts';

const { variables } = await directoryServer();

await attack([...directoryCases, ...directoryPasswordCases], variables);
