/** Shorter ones are words and letters of every text: hiding them all would reveal them, so only whole values are hidden. */
const shortLength = 4

/**
 * `user:password@` of a URL; the password may hold what has no place there, such as a slash or another `@`. A URL that was taken for a
 * path has one slash after its scheme.
 */
const userInfo =
  /((?:[a-z][a-z0-9+.-]{0,20}:\/|https?:|ssh:|oci:)\/)(?:[^\s/'"<>]{0,2000}|[^\s/@:'"<>]{1,200}:(?!\d{1,5}\/)[^\s@'"<>]{0,200})@/gi

const urlWithQuery = /:\/\/[^\s?'"<>]{1,2000}\?[^\s'"<>]{1,2000}/g
const secretParameter = /([?&][^=&]{0,60}(?:token|passw|secret|key|auth|sig|credential)[^=&]{0,60}=)[^&#]+/gi

/**
 * Removes what stands before the host of each URL in a text, and `***` stands for the values of its query that are secrets by their names.
 * @param mark what is put in the place of users and passwords; nothing by default
 */
export function withoutUserInfo(text: string, mark = ''): string {
  const anonymous = text.replaceAll(userInfo, `$1${mark}`)
  if (!anonymous.includes('?')) return anonymous
  return anonymous.replaceAll(urlWithQuery, (url) => url.replaceAll(secretParameter, '$1***'))
}

/**
 * Returns a function that puts `***` in the place of secrets and removes users and passwords from URLs. A secret is hidden
 * where it stands as a whole, plain or percent-encoded, and never inside of a word. One of less than four characters is
 * hidden where it is a whole value: after `=`, `:` or a quote.
 */
export function redactor(secrets: Iterable<string>): (text: string) => string {
  const spellings = new Set<string>()
  for (const secret of secrets) {
    if (secret === '') continue
    spellings.add(secret)
    spellings.add(encodeURIComponent(secret.toWellFormed()))
  }
  if (spellings.size === 0) return (text) => withoutUserInfo(text)
  const longestFirst = [...spellings].toSorted((a, b) => b.length - a.length)
  const anySecret = new RegExp(longestFirst.map(wholePattern).join('|'), 'gu')
  return (text) => withoutUserInfo(text.replaceAll(anySecret, '***'))
}

const wordCharacter = /[\p{L}\p{N}_]/u

function wholePattern(secret: string): string {
  const escaped = RegExp.escape(secret)
  if (secret.length < shortLength) return `(?<=[=:'"])${escaped}(?=[\\s'",;&)}\\]]|$)`
  const before = wordCharacter.test(secret[0] ?? '') ? '(?<![\\p{L}\\p{N}_])' : ''
  const after = wordCharacter.test(secret.at(-1) ?? '') ? '(?![\\p{L}\\p{N}_])' : ''
  return `${before}${escaped}${after}`
}
