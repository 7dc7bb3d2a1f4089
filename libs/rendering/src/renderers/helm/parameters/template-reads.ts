/**
 * Returns whether templates read a value by its name, may read it by a way that is not followed here with an object that it is in (`within`) or with all
 * values (`perhaps`), or do not.
 */
export type ValueRead = 'read' | 'within' | 'perhaps' | 'no'

/** An action of a template, and where the text goes on behind it. */
interface Action {
  readonly text: string
  readonly end: number
}

/** Most actions behind one `with` that are looked at for its end. */
const maxBlock = 2000

/**
 * Finds out whether templates read the value whose keys are given, the last of which is not among the chart's own values. A name that is written
 * out reads it; whatever gets a whole object around it, such as `toYaml .Values.image` or `range`, may.
 */
export function readOf(texts: readonly string[], keys: readonly string[]): ValueRead {
  let found: ValueRead = 'no'
  for (const text of texts) {
    for (const { index, 0: all, 1: chain = '' } of text.matchAll(/[."]Values((?:\.[A-Za-z_]\w*)*)/g)) {
      const names = chain.split('.').slice(1)
      if (!keys.slice(0, names.length).every((key, depth) => key === (names[depth] ?? key))) continue
      const action = actionAround(text, { index, end: index + all.length })
      if (action === undefined) continue
      if (names.length >= keys.length) return 'read'
      const read = readOfWhole(text, action, keys.slice(names.length))
      if (read === 'read') return 'read'
      if (read === 'no') continue
      if (names.length > 0) found = 'within'
      else if (found === 'no') found = read
    }
  }
  return found
}

/** Returns whether an action that names a whole object reads the value of some keys below it. */
function readOfWhole(text: string, action: Action, keys: readonly string[]): ValueRead {
  const [key = ''] = keys
  if (keys.every((one) => hasText(action.text, one))) return 'read'
  // Of a lookup by several keys the others are of something else.
  if (hasText(action.text, key)) return (action.text.match(/"[^"]*"/g)?.length ?? 0) < 2 ? 'perhaps' : 'no'
  const words = new Set(action.text.match(/(?<![\w.$"])[A-Za-z_]\w*/g))
  if (words.has('with')) return readInBlock(text, action.end, key)
  const isPassedOn = /\$\w|:=|\b(?:include|template|tpl|to[A-Z]\w+|range)\b/.test(action.text)
  // A condition only asks whether there is anything in it, and a lookup is of the keys that it names.
  return !isPassedOn && ['if', 'index', 'get', 'hasKey', 'dig', 'pluck'].some((word) => words.has(word))
    ? 'no'
    : 'perhaps'
}

/** In `with`, values are named behind a dot alone; the dot itself is all of them. */
function readInBlock(text: string, start: number, key: string): ValueRead {
  const block = blockText(text, start)
  if (block === undefined || /(?<![\w.$)])\.(?![\w.])/.test(block)) return 'perhaps'
  return new RegExp(String.raw`\.${RegExp.escape(key)}(?!\w)`).test(block) || hasText(block, key)
    ? 'read'
    : 'no'
}

/** Returns whether an action has a key in a text, alone or as a part of a name. */
function hasText(text: string, key: string): boolean {
  return [`"${key}"`, `\`${key}\``, `'${key}'`, `"${key}.`, `.${key}"`, `.${key}.`].some((quoted) =>
    text.includes(quoted),
  )
}

/** The action that a place is in; undefined for one outside of all, as in a comment of YAML. */
function actionAround(
  text: string,
  { index, end }: { readonly index: number; readonly end: number },
): Action | undefined {
  const start = text.lastIndexOf('{{', index)
  if (start === -1 || text.slice(start, index).includes('}}')) return undefined
  const close = text.indexOf('}}', end)
  return close === -1 ? undefined : { text: text.slice(start + 2, close), end: close + 2 }
}

/** The actions between the start of a block and its end; undefined where none is found. */
function blockText(text: string, start: number): string | undefined {
  const actions: string[] = []
  let depth = 1
  for (const { 1: action = '' } of text.slice(start).matchAll(/\{\{-?\s*([^]*?)\}\}/g)) {
    const [word] = /^\w+/.exec(action) ?? []
    if (word === 'end') depth -= 1
    else if (word !== undefined && ['if', 'with', 'range', 'block', 'define'].includes(word)) depth += 1
    if (depth === 0) return actions.join('\n')
    actions.push(action)
    if (actions.length > maxBlock) return undefined
  }
  return undefined
}
