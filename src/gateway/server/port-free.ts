import { once } from 'node:events';
import { createServer } from 'node:net';

/** True where something could listen on 127.0.0.1 at the port now; 0 stands for any port. */
export async function isPortFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}
