/** Whether a single character is meant. */
export type CharacterTest = (character: string) => boolean

const perlClasses = new Map<string, RegExp>([
  ['d', /^[0-9]$/],
  ['D', /^[^0-9]$/u],
  ['s', /^[\t\n\f\r ]$/],
  ['S', /^[^\t\n\f\r ]$/u],
  ['w', /^[0-9A-Za-z_]$/],
  ['W', /^[^0-9A-Za-z_]$/u],
])

const posixClasses = new Map<string, RegExp>([
  ['alnum', /^[0-9A-Za-z]$/],
  ['alpha', /^[A-Za-z]$/],
  ['ascii', /^\p{ASCII}$/u],
  ['blank', /^[\t ]$/],
  ['cntrl', /^(?=\p{ASCII})\p{Cc}$/u],
  ['digit', /^[0-9]$/],
  ['graph', /^[!-~]$/],
  ['lower', /^[a-z]$/],
  ['print', /^[ -~]$/],
  ['punct', /^[!-/:-@[-`{-~]$/],
  ['space', /^[\t\n\v\f\r ]$/],
  ['upper', /^[A-Z]$/],
  ['word', /^[0-9A-Za-z_]$/],
  ['xdigit', /^[0-9A-Fa-f]$/],
])

/** Returns the test of a class of ASCII characters that Go names by a letter, for example `d` of `\d`. */
export function perlClass(letter: string): CharacterTest | undefined {
  return testOf(perlClasses.get(letter))
}

/** Returns the test of a class of ASCII characters that POSIX names, for example `alpha` of `[:alpha:]`. */
export function posixClass(name: string): CharacterTest | undefined {
  return testOf(posixClasses.get(name))
}

/** Returns the test of a general category or a script of Unicode, for example `Lu` of `\p{Lu}`. */
export function unicodeClass(name: string): CharacterTest | undefined {
  if (name === 'Any') return () => true
  if (!/^\w+$/.test(name)) return undefined
  const property = /^[A-Z][a-z]?$/.test(name) ? 'gc' : 'sc'
  try {
    return testOf(new RegExp(`^\\p{${property}=${name}}$`, 'u'))
  } catch {
    return undefined
  }
}

/** Returns the test that also accepts a character whose form in the other case is meant. */
export function ignoringCase(test: CharacterTest): CharacterTest {
  return (character) => caseForms(character).some(test)
}

function testOf(expression: RegExp | undefined): CharacterTest | undefined {
  return expression && ((character) => expression.test(character))
}

function caseForms(character: string): string[] {
  const upper = character.toUpperCase()
  const lower = character.toLowerCase()
  return [character, upper, lower, upper.toLowerCase(), lower.toUpperCase()]
}
