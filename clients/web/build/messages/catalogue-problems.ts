import compile from 'icu-minify/compile'

/** The texts of one language by the English ones. */
export type CatalogueRows = Readonly<Record<string, string>>

/** Returns what is wrong with the catalogue of a language, compared with the texts that the console uses. @param language its tag */
export function catalogueProblems(
  rows: CatalogueRows,
  language: string,
  used: ReadonlySet<string>,
): string[] {
  const english = Object.keys(rows)
  const disorder = english.find((key, place) => key !== english.toSorted()[place])
  return [
    ...[...used].filter((key) => (rows[key] ?? '') === '').map((key) => `not translated: ${key}`),
    ...english.filter((key) => !used.has(key)).map((key) => `not used: ${key}`),
    ...Object.entries(rows).flatMap(([key, text]) => rowProblems(key, text, language)),
    ...(disorder === undefined ? [] : [`not in the order of the English texts: ${disorder}`]),
  ]
}

function rowProblems(english: string, text: string, language: string): string[] {
  if (text === '') return []
  try {
    const [wanted, found] = [placeholders(compile(english)), placeholders(compile(text))]
    if (wanted.join() !== found.join())
      return [`has the placeholders ${found.join(', ')} instead of ${wanted.join(', ')}: ${english}`]
    return pluralProblems(compile(text), language).map((problem) => `${problem}: ${english}`)
  } catch (error) {
    return [`${String(error)}: ${english}`]
  }
}

/** Returns the placeholders and tags of a compiled message, in the order of their names; those of plurals are marked. */
export function placeholders(message: unknown): string[] {
  return [...new Set(nodesOf(message).map(([name, type]) => (type === 2 ? `${name}#` : name)))].toSorted()
}

/** The forms that every language has, and those of 2 and 5 things, which some tell from others. */
function pluralProblems(message: unknown, language: string): string[] {
  const rules = new Intl.PluralRules(language)
  const needed = new Set([1, 2, 5].map((count) => rules.select(count)).concat('other'))
  return nodesOf(message).flatMap(([, type, forms]) => {
    if (type !== 2 || typeof forms !== 'object' || forms === null) return []
    return [...needed]
      .filter((form) => !Object.hasOwn(forms, form))
      .map((form) => `has no plural for ${form}`)
  })
}

type MessageNode = [name: string, type: unknown, ...rest: unknown[]]

/** A compiled message is a text, or a list of texts and nodes; forms of plurals and texts of tags are messages too. */
function nodesOf(message: unknown): MessageNode[] {
  if (!Array.isArray(message)) return []
  return message.flatMap((node: unknown) => {
    if (!isNode(node)) return []
    const [, type, ...rest] = node
    const forms: unknown[] =
      typeof type === 'number' && type > 0 ? Object.values(rest[0] ?? {}) : [node.slice(1)]
    return [node, ...forms.flatMap(nodesOf)]
  })
}

function isNode(node: unknown): node is MessageNode {
  return Array.isArray(node) && typeof node[0] === 'string'
}
