import type { Config } from './schema.ts';

/** Whether clients reach the server by https: as `http.public_url` says or, without it, because the server has a certificate. */
export const isHttps = ({ http, tls }: Pick<Config, 'http' | 'tls'>): boolean =>
  http.public_url === null ? tls.cert_file !== null : http.public_url.startsWith('https:');
