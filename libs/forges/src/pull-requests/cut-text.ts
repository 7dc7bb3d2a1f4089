/** A text of at most that many characters; what is cut ends with `…`, and no character is cut in two. */
export function cutText(text: string, longest: number): string {
  if (text.length <= longest) return text
  const end = longest - 1
  const isInPair = /[\uD800-\uDBFF]/.test(text.charAt(end - 1))
  return `${text.slice(0, isInPair ? end - 1 : end)}…`
}

/** A text in one line, of at most that many characters. */
export function cutLine(text: string, longest: number): string {
  return cutText(text.replaceAll(/\s+/g, ' ').trim(), longest)
}
