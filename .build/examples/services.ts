import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type FakeCal, startFakeCal } from '../../test/support/fake-cal.ts';

/** Everything outside that the recorded requests make the server reach, on loopback. */
export type Services = {
  /** Takes webhooks, and accepts calls as a voice runtime does. */
  receiver: { url: string; port: number };
  /** A web site of one page. */
  site: { url: string };
  calendar: FakeCal;
  close(): Promise<void>;
};

const page = `<!doctype html><title>Delivery</title><h1>Delivery</h1><p>Parcels arrive within three working days.</p>`;

export async function startServices(): Promise<Services> {
  const receiver = await listening((request, response) =>
    request.resume().on('end', () => response.writeHead(request.url!.startsWith('/calls') ? 202 : 200).end()),
  );
  const site = await listening((request, response) => {
    const isPage = request.url === '/help';
    response.writeHead(isPage ? 200 : 404, { 'content-type': 'text/html' }).end(isPage ? page : 'Not found');
  });
  const calendar = await startFakeCal();
  return {
    receiver,
    site,
    calendar,
    async close() {
      receiver.close();
      site.close();
      await calendar.close();
    },
  };
}

async function listening(answer: RequestListener): Promise<{ url: string; port: number; close(): void }> {
  const server = createServer(answer);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
