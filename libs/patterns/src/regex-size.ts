/** The tokens: quoted text, an escape, a class, a group's opening, a repetition, a character. */
const tokenPattern = new RegExp(
  [
    String.raw`\\Q(?<quoted>.*?)(?:\\E|$)`,
    String.raw`\\(?:[pP]\{[^}]*\}|[pP].|x\{[^}]*\}|x..|[0-7]{1,3}|.)`,
    String.raw`\[\^?\]?(?:\\.|\[:\^?\w*:\]|[^\\\]])*\]`,
    String.raw`(?<open>\((?:\?[^:)<]*(?::|P?<\w*>))?)`,
    String.raw`(?<close>\))`,
    String.raw`\{(?<least>\d+)(?:,(?<most>\d*))?\}`,
    '[^]',
  ].join('|'),
  'gsu',
)

/**
 * Returns how many characters and classes a regular expression has when its counted repetitions are written out, without
 * compiling it. Of what is not a regular expression it is any number.
 */
export function regexSize(pattern: string): number {
  /** The sizes of the groups that are open, and of the part that a repetition would follow. */
  const outer: number[] = []
  let size = 0
  let last = 0
  for (const { groups = {} } of pattern.matchAll(tokenPattern)) {
    const { quoted, open, close, least, most } = groups
    if (open !== undefined) {
      outer.push(size)
      size = 0
      last = 1
    } else if (close !== undefined) {
      last = size + 1
      size = (outer.pop() ?? 0) + last
    } else if (least !== undefined) {
      const times = Math.max(Number(least), Number(most ?? 0), 1)
      size += last * (times - 1)
      last *= times
    } else {
      last = quoted === undefined ? 1 : quoted.length
      size += last
    }
  }
  return outer.reduce((sum, inner) => sum + inner, size)
}
