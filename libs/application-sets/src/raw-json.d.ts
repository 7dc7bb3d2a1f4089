// The compiler's own declarations lack it.
interface JSON {
  /** A value that JSON.stringify writes as the given text, which is a number, text, boolean or null. */
  rawJSON(text: string): object
}
