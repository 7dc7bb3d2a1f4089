/** The replacements of the characters that HTML reserves. */
const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
}

/**
 * A report whose folded parts stand open, for a forge that shows HTML as text. Lines of diffs begin with a sign, so no content is taken
 * for a fold.
 */
export function unfolded(report: string): string {
  return report
    .replaceAll(/^<details><summary><code>(.*)<\/code><\/summary>$/gm, (_line, title: string) => {
      const text = title.replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (entity) => entities[entity] ?? entity)
      const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length))
      const ticks = '`'.repeat(longest + 1)
      const space = longest > 0 ? ' ' : ''
      return `**Diff** ${ticks}${space}${text}${space}${ticks}`
    })
    .replaceAll(/^<\/details>\n/gm, '')
}
