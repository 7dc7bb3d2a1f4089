/** Returns the nonce that the page's policy demands of style sheets which a script adds. */
export function styleNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''
}
