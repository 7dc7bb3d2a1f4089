/** Whether a text matches a pattern. */
export type Matcher = (text: string) => boolean
