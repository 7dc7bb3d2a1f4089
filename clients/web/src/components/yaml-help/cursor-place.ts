/** The place of a cursor in a text of YAML in block style. */
export interface CursorPlace {
  /** The keys that lead to the object or value at the cursor, `[]` for an item of a list. */
  path: string[]
  /** True where a value is typed, and false where a key is. */
  isValue: boolean
  /** The beginning of the word at the cursor. */
  from: number
  /** The column of the keys of the object. */
  column: number
  /** The keys that the object has already. */
  present: ReadonlySet<string>
}

/** A line with a key. */
interface KeyLine {
  /** The columns of the dashes before the key. */
  dashes: number[]
  column: number
  key: string
}

const keyLine = /^((?: |- )*)("[^"]*"|'[^']*'|[^\s"'#:{[-][^:#]*):(?:\s|$)/
const typedKey = /^((?: |- )*)([\w./-]*)$/
const typedValue = /^((?: |- )*)([\w./-]+): +([\w./-]*)$/

/** Returns the place of the cursor at an offset; undefined where neither a key nor a plain value begins. */
export function cursorPlace(text: string, offset: number): CursorPlace | undefined {
  const before = text.slice(0, offset).split('\n')
  const typed = before.pop() ?? ''
  const [, keyPrefix, key = ''] = typedKey.exec(typed) ?? []
  const [, valuePrefix, ownKey = '', value = ''] = typedValue.exec(typed) ?? []
  const prefix = keyPrefix ?? valuePrefix
  if (prefix === undefined) return undefined
  const isValue = keyPrefix === undefined
  const after = text.slice(offset).split('\n').slice(1)
  const { path, present } = pathAbove(before, { dashes: dashesOf(prefix), column: prefix.length, key: '' })
  for (const sibling of siblingsBelow(after, prefix.length)) present.add(sibling)
  return {
    path: isValue ? [...path, ownKey] : path,
    isValue,
    from: offset - (isValue ? value : key).length,
    column: prefix.length,
    present,
  }
}

function dashesOf(prefix: string): number[] {
  return Array.from(prefix.matchAll(/-/g), ({ index }) => index)
}

function readLine(line: string): KeyLine | undefined {
  const [, prefix = '', written = ''] = keyLine.exec(line) ?? []
  if (written === '') return undefined
  const key = written.replace(/^(["'])(.*)\1$/, '$2').trim()
  return { dashes: dashesOf(prefix), column: prefix.length, key }
}

/** Goes up from a line through those that are less indented, which lead to it. */
function pathAbove(lines: readonly string[], from: KeyLine) {
  const path: string[] = []
  const present = new Set<string>()
  let { column } = from
  // A key at the column of a dash is above its list; one at the column of a key is beside it.
  let isInList = false
  let isNearest = true
  const enter = (dashes: readonly number[]) => {
    for (const dash of dashes.toReversed()) {
      path.unshift('[]')
      column = dash
      isInList = true
      isNearest = false
    }
  }
  enter(from.dashes)
  for (const line of lines.toReversed()) {
    const above = readLine(line)
    if (!above) continue
    if (!isInList && above.column === column) {
      if (isNearest) present.add(above.key)
      enter(above.dashes)
    } else if (above.column < column || (isInList && above.column === column)) {
      path.unshift(above.key)
      column = above.column
      isInList = false
      isNearest = false
      enter(above.dashes)
    }
  }
  return { path, present }
}

/** The keys after a line that belong to the same object. */
function siblingsBelow(lines: readonly string[], column: number): string[] {
  const keys: string[] = []
  for (const line of lines) {
    const below = readLine(line)
    if (below && (below.column < column || (below.dashes.length > 0 && below.column === column))) break
    if (below?.column === column) keys.push(below.key)
  }
  return keys
}
