const maxLength = 2048;

/** What never has a text to read. Everything else is asked for, and told by its content. */
const media =
  /\.(?:png|jpe?g|gif|webp|avif|svg|ico|bmp|tiff?|mp[34]|m4[av]|mov|avi|webm|ogg|wav|flac|css|m?js|map|json|woff2?|ttf|otf|eot|zip|gz|tgz|rar|7z|exe|dmg|iso|apk)$/i;

/** The URL under which a link is crawled; undefined for one that leads elsewhere, or to nothing that has a text. */
export function crawlable(link: string, host: string): string | undefined {
  const url = URL.parse(link);
  if (!url || !/^https?:$/.test(url.protocol) || url.host !== host) return undefined;
  if (url.username !== '' || url.password !== '' || media.test(url.pathname)) return undefined;
  url.hash = '';
  return url.href.length > maxLength ? undefined : url.href;
}
