"""read_row.py SOCKET NAMESPACE TABLE KEY: prints the row as JSON, or null if it is not stored."""
import json, socket, sys

path, namespace, table, key = sys.argv[1:]
server = socket.socket(socket.AF_UNIX)
server.connect(path)
stream = server.makefile("rwb")

def get(name):
    stream.write(f"get {name}\r\n".encode()); stream.flush()
    head = stream.readline().split()
    if head[0] == b"END":
        return None
    value = stream.read(int(head[3])); stream.readline(); stream.readline()
    return value.decode()

space = f"{namespace}:{get(namespace + '!')}."
generation, entry = (json.loads(get(space + name) or "null") for name in (f"{table}!", f"{table}:{key}"))
valid = generation and entry and entry[0] == generation.get("id")
print(json.dumps(entry[1] or None if valid else None))
