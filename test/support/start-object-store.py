"""Runs OpenStack Swift with its S3 interface on loopback, with all data in one folder.

usage: python3 start-object-store.py FOLDER PORT KEY SECRET

Prints one line when it is ready. Ends with its standard input, and its four servers with it. FOLDER must be on a
file system with extended attributes; its data stay over restarts, also on another port.
"""

import ctypes
import os
import signal
import sys
import time
import urllib.request

FOLDER, PORT, KEY, SECRET = os.path.abspath(sys.argv[1]), int(sys.argv[2]), sys.argv[3], sys.argv[4]
CONFIG, DEVICE = FOLDER + '/etc', FOLDER + '/devices/d1'
KINDS = ['account', 'container', 'object', 'proxy']

# the cache below is found by this name
sys.modules.setdefault('swift_on_loopback', sys.modules[__name__])


class NoCache:
    """Swift's accounts want a cache; this one keeps nothing, so that nothing becomes stale."""

    def get(self, *args, **options):
        return None

    def set(self, *args, **options):
        pass

    delete = set

    def incr(self, key, delta=1, **options):
        return delta

    def decr(self, key, delta=1, **options):
        return 0

    def get_multi(self, keys, *args, **options):
        return [None for _ in keys]

    set_multi = set


def no_cache(global_config, **config):
    def filter_app(app):
        def call(environment, start_response):
            environment['swift.cache'] = NoCache()
            return app(environment, start_response)

        return call

    return filter_app


def write(name, text):
    path = f'{CONFIG}/{name}'
    with open(path, 'w') as file:
        file.write(text)
    return path


os.makedirs(CONFIG, exist_ok=True)
os.makedirs(DEVICE, exist_ok=True)
write(
    'swift.conf',
    '''[swift-hash]
swift_hash_path_suffix = test
[storage-policy:0]
name = only
default = yes
''',
)

from swift.common import utils  # noqa: E402

utils.SWIFT_CONF_FILE = CONFIG + '/swift.conf'

from swift.common import wsgi  # noqa: E402
from swift.common.ring import RingBuilder  # noqa: E402
from swift.obj.server import global_conf_callback  # noqa: E402

utils.eventlet_monkey_patch()

COMMON = f'''[DEFAULT]
swift_dir = {CONFIG}
bind_ip = 127.0.0.1
user = root
workers = 0
log_level = WARNING
'''

STORAGE = (
    COMMON
    + f'''bind_port = %(port)d
devices = {FOLDER}/devices
mount_check = false
disable_fallocate = true
fallocate_reserve = 0
[pipeline:main]
pipeline = %(kind)s-server
[app:%(kind)s-server]
use = egg:swift#%(kind)s
'''
)

ACCOUNT, USER = KEY.split(':')
PROXY = (
    COMMON
    + f'''bind_port = %(port)d
[pipeline:main]
pipeline = catch_errors gatekeeper healthcheck no_cache listing_formats bulk s3api tempauth copy slo dlo proxy-server
[app:proxy-server]
use = egg:swift#proxy
allow_account_management = true
account_autocreate = true
conn_timeout = 10
node_timeout = 60
recoverable_node_timeout = 60
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:gatekeeper]
use = egg:swift#gatekeeper
[filter:healthcheck]
use = egg:swift#healthcheck
[filter:no_cache]
paste.filter_factory = swift_on_loopback:no_cache
[filter:listing_formats]
use = egg:swift#listing_formats
[filter:bulk]
use = egg:swift#bulk
[filter:s3api]
use = egg:swift#s3api
location = us-east-1
dns_compliant_bucket_names = yes
max_upload_part_num = 10000
[filter:tempauth]
use = egg:swift#tempauth
user_{ACCOUNT}_{USER} = {SECRET} .admin
[filter:copy]
use = egg:swift#copy
[filter:slo]
use = egg:swift#slo
max_manifest_segments = 10000
[filter:dlo]
use = egg:swift#dlo
'''
)


def listen(kind):
    return wsgi.get_socket(
        {
            'bind_ip': '127.0.0.1',
            'bind_port': PORT if kind == 'proxy' else 0,
            'bind_timeout': 5,
        }
    )


def place_on_one_device(kind, port):
    ring = RingBuilder(4, 1, 0)
    address = {'ip': '127.0.0.1', 'port': port}
    replication = {'replication_ip': '127.0.0.1', 'replication_port': port}
    place = {'id': 0, 'region': 1, 'zone': 1, 'device': 'd1', 'weight': 1.0, 'meta': ''}
    ring.add_dev({**place, **address, **replication})
    ring.rebalance()
    ring.get_ring().save(f'{CONFIG}/{kind}.ring.gz')


def serve(kind, file, sockets, ready):
    """Runs one server in this process, which ends with its parent."""
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)
    for other, socket in sockets.items():
        if other != kind:
            socket.close()
    config, logger, log_name = wsgi._initrp(file, f'{kind}-server', verbose=True)
    global_config = {'log_name': log_name}
    if kind == 'object':
        global_conf_callback(config, global_config)
    reserve = utils.config_fallocate_value('0')
    utils.FALLOCATE_RESERVE, utils.FALLOCATE_IS_PERCENT = reserve
    wsgi.run_server(
        config,
        logger,
        sockets[kind],
        global_conf=global_config,
        ready_callback=lambda: os.write(ready, b'ready'),
    )


sockets = {kind: listen(kind) for kind in KINDS}
ports = {kind: socket.getsockname()[1] for kind, socket in sockets.items()}
files = {
    kind: write(
        f'{kind}-server.conf',
        (PROXY if kind == 'proxy' else STORAGE) % {'kind': kind, 'port': ports[kind]},
    )
    for kind in KINDS
}
for kind in KINDS[:3]:
    place_on_one_device(kind, ports[kind])

children = []
for kind in KINDS:
    from_child, to_parent = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            serve(kind, files[kind], sockets, to_parent)
        finally:
            os._exit(1)
    os.close(to_parent)
    children.append(child)
    if os.read(from_child, 5) != b'ready':
        sys.exit(f'the {kind} server of swift did not start')
for socket in sockets.values():
    socket.close()


def stop(*_):
    for child in children:
        os.kill(child, signal.SIGKILL)
    for child in children:
        os.waitpid(child, 0)
    os._exit(0)


signal.signal(signal.SIGTERM, stop)


def stop_with_input():
    while os.read(0, 4096):
        pass
    os.kill(os.getpid(), signal.SIGTERM)


import eventlet.patcher  # noqa: E402

eventlet.patcher.original('threading').Thread(target=stop_with_input, daemon=True).start()

direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
while True:
    try:
        if direct.open(f'http://127.0.0.1:{PORT}/healthcheck', timeout=5).status == 200:
            break
    except OSError:
        time.sleep(0.05)
print('ready', flush=True)
# a server that ends by itself ends them all
while True:
    try:
        ended, _ = os.wait()
    except InterruptedError:
        continue
    children.remove(ended)
    stop()
