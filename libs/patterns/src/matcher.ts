/** Returns true if a text matches a pattern. */
export type Matcher = (text: string) => boolean
