const maxUrlChars = 2048;

/**
 * Extensions of files that never contain text. Everything else is fetched, and its format detected from the content.
 */
const mediaExtension =
  /\.(?:png|jpe?g|gif|webp|avif|svg|ico|bmp|tiff?|mp[34]|m4[av]|mov|avi|webm|ogg|wav|flac|css|m?js|map|json|woff2?|ttf|otf|eot|zip|gz|tgz|rar|7z|exe|dmg|iso|apk)$/i;

/** The URL to crawl for a link; undefined if it leads to another host or to a file without text. */
export function crawlableUrl(link: string, host: string): string | undefined {
  const url = URL.parse(link);
  if (!url || !/^https?:$/.test(url.protocol) || url.host !== host) return undefined;
  if (url.username !== '' || url.password !== '' || mediaExtension.test(url.pathname)) return undefined;
  url.hash = '';
  return url.href.length > maxUrlChars ? undefined : url.href;
}
