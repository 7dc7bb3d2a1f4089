import { lineAt } from '@wadi/manifests/source-line.ts'

/** Characters of texts that Argo CD reads in another way, without an error; docs/reference/yaml.md lists them. */
const differing: ReadonlyArray<readonly [pattern: RegExp, says: string]> = [
  [
    /(?:\r(?!\n)|[\u0085\u2028\u2029])(?=---(?:[ \t\r\n]|$))/u,
    'the line before "---" does not end in LF, so Argo CD does not read what follows, and it is read here; end lines with LF',
  ],
  [/\r\r\n/, 'a line ends in CR CR LF, which is one line end to Argo CD and two here; end lines with LF'],
  [
    /(?<=[^])\ufeff/,
    'a byte order mark inside the text, which Argo CD may keep where it is dropped here; remove it',
  ],
]

/** Warns of lines in a text of manifests by which Argo CD makes other objects of it. */
export function differingLines(file: string, text: string): string[] {
  if (!/[\r\u0085\u2028\u2029\ufeff]/.test(text)) return []
  return differing.flatMap(([pattern, says]) => {
    const found = pattern.exec(text)
    return found === null ? [] : [`${file}:${lineAt(text, found.index)}: ${says}`]
  })
}
