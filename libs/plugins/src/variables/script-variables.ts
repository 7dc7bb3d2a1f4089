const reference = /\$(?:(?<plain>[A-Za-z_]\w*)|\{[#!]?(?<braced>[A-Za-z_]\w*)(?<fallback>:?[-=?+])?)/g

/** A name before `=` where a shell expects a command, after others of its kind too. */
const assigned =
  /(?<=(?:^|[;&|({`]|\b(?:then|do|else|export|local|declare|typeset|readonly))[ \t]*(?:-\w+[ \t]+)*(?:[A-Za-z_]\w*=[^\s;&|]*[ \t]+)*)(?<name>[A-Za-z_]\w*)\+?=/gm

const listed =
  /\b(?:for|select|read|mapfile|readarray|getopts|unset)[ \t]+(?<names>(?:(?!\bin\b)[^;&|<$\n])*)/g

/**
 * The names of variables that a script takes from its environment. A variable that it sets itself is not among them unless it gives
 * a default for it (`${NAME:-…}`): a value from outside would be taken for the script's own.
 */
export function variablesFromOutside(text: string): ReadonlySet<string> {
  const own = new Set([...text.matchAll(assigned)].map(({ groups }) => groups?.['name'] ?? ''))
  for (const { groups } of text.matchAll(listed)) {
    for (const name of groups?.['names']?.match(/[A-Za-z_]\w*/g) ?? []) own.add(name)
  }
  const found = references(text).filter(({ name, hasFallback }) => hasFallback || !own.has(name))
  return new Set(found.map(({ name }) => name))
}

function references(text: string): { name: string; hasFallback: boolean }[] {
  return [...text.matchAll(reference)].map(({ groups = {} }) => ({
    name: groups['plain'] ?? groups['braced'] ?? '',
    hasFallback: groups['fallback'] !== undefined,
  }))
}
