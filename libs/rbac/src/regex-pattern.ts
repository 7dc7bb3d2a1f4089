import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { shortened } from '@wadi/errors/some-of.ts'
import { compileAutomaton } from './automaton.ts'
import type { Matcher, PatternNode } from './automaton.ts'
import { ignoringCase, perlClass, posixClass, unicodeClass } from './regex-class.ts'
import type { CharacterTest } from './regex-class.ts'

/**
 * Compiles a regular expression of Go (RE2 syntax), which any part of a text may match. Like Go's it cannot be made to
 * run long: nothing backtracks, and there are no back references and no look-around.
 * @throws InvalidInputError for what Go refuses, for example `*`, and for expressions of more than 4096 states.
 */
export function compileRegex(pattern: string): Matcher {
  return compileAutomaton(new RegexParser(pattern).parse(), false)
}

interface Flags {
  ignoreCase: boolean
  multiLine: boolean
  dotMatchesNewline: boolean
}

type Repetition = Extract<PatternNode, { kind: 'repeat' }>

const maxRepetition = 1000
const maxNesting = 200

const controlCharacters = new Map([
  ['a', '\u0007'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['v', '\v'],
])

class RegexParser {
  readonly #pattern: string
  readonly #names = new Set<string>()
  #position = 0
  #nesting = 0
  #flags: Flags = { ignoreCase: false, multiLine: false, dotMatchesNewline: false }

  constructor(pattern: string) {
    this.#pattern = pattern
  }

  parse(): PatternNode {
    const node = this.#choice()
    if (this.#position < this.#pattern.length) throw this.#fault('has a ) without (')
    return node
  }

  #choice(): PatternNode {
    const options = [this.#sequence()]
    while (this.#skip('|')) options.push(this.#sequence())
    return { kind: 'choice', options }
  }

  #sequence(): PatternNode {
    const parts: PatternNode[] = []
    let followsRepetition = false
    while (!['', '|', ')'].includes(this.#pattern.charAt(this.#position))) {
      const repetition = this.#repetition()
      if (repetition) {
        const part = parts.pop()
        if (!part || followsRepetition) throw this.#fault('repeats nothing')
        parts.push(this.#checkedRepetition({ kind: 'repeat', part, ...repetition }))
      } else {
        parts.push(...this.#atoms())
      }
      followsRepetition = repetition !== undefined
    }
    return { kind: 'sequence', parts }
  }

  #repetition(): { least: number; most: number } | undefined {
    const [text, least, comma, most] = this.#match(/[*+?]|\{(0|[1-9]\d*)(?:(,)(0|[1-9]\d*)?)?\}/y)
    if (text === undefined) return undefined
    this.#skip('?')
    if (text === '*') return { least: 0, most: Infinity }
    if (text === '+') return { least: 1, most: Infinity }
    if (text === '?') return { least: 0, most: 1 }
    const low = Number(least)
    return { least: low, most: comma === undefined ? low : Number(most ?? Infinity) }
  }

  #checkedRepetition(repetition: Repetition): Repetition {
    const { least, most } = repetition
    if (least > most || !repeatsAtMost(repetition, maxRepetition)) {
      throw this.#fault(`repeats more than ${maxRepetition} times, or less often at most than at least`)
    }
    return repetition
  }

  /** Reads a character, class, place, group or quoted text; nothing for flags. */
  #atoms(): PatternNode[] {
    if (this.#skip('\\Q')) {
      const [, text = ''] = this.#match(/(.*?)(?:\\E|$)/sy)
      return Array.from(text, (character) => accepting(this.#folded((tested) => tested === character)))
    }
    if (this.#skip('(')) return this.#group()
    if (this.#skip('[')) return [accepting(this.#class())]
    if (this.#skip('.')) {
      const { dotMatchesNewline } = this.#flags
      return [accepting((tested) => dotMatchesNewline || tested !== '\n')]
    }
    const expected = this.#place() ?? this.#escapedClass()
    if (expected) return [typeof expected === 'function' ? accepting(expected) : expected]
    const codePoint = this.#codePoint()
    return [accepting(this.#folded((tested) => tested.codePointAt(0) === codePoint))]
  }

  #place(): PatternNode | undefined {
    const [text] = this.#match(/[$^]|\\[ABbz]/y)
    if (text === undefined) return undefined
    const ends = (character: string | undefined) => character === undefined
    const endsLine = (character: string | undefined) => ends(character) || character === '\n'
    const { multiLine } = this.#flags
    if (text === '\\A') return { kind: 'place', holds: (before) => ends(before) }
    if (text === '\\z') return { kind: 'place', holds: (_, after) => ends(after) }
    if (text === '^') return { kind: 'place', holds: multiLine ? endsLine : ends }
    if (text === '$') return { kind: 'place', holds: (_, after) => (multiLine ? endsLine : ends)(after) }
    const isBorder = text === '\\b'
    return { kind: 'place', holds: (before, after) => (isWord(before) !== isWord(after)) === isBorder }
  }

  #group(): PatternNode[] {
    const outer = this.#flags
    const [opening, sets = '', clears = '', end] = this.#match(/\?([imsU]*)(?:-([imsU]+))?([:)])/y)
    if (opening === undefined) this.#groupName()
    else this.#setFlags(sets, clears)
    if (end === ')') return []
    if (++this.#nesting > maxNesting) throw this.#fault(`nests more than ${maxNesting} groups`)
    const node = this.#choice()
    if (!this.#skip(')')) throw this.#fault('has a ( without )')
    this.#nesting--
    this.#flags = outer
    return [node]
  }

  #groupName(): void {
    if (!this.#skip('?')) return
    const [, name] = this.#match(/P?<(\w+)>/y)
    if (name === undefined) throw this.#fault('has a group that Go does not know; there is no look-around')
    if (this.#names.has(name)) throw this.#fault(`has two groups with the name ${name}`)
    this.#names.add(name)
  }

  #setFlags(sets: string, clears: string): void {
    const isSet = (flag: string, before: boolean) => !clears.includes(flag) && (sets.includes(flag) || before)
    this.#flags = {
      ignoreCase: isSet('i', this.#flags.ignoreCase),
      multiLine: isSet('m', this.#flags.multiLine),
      dotMatchesNewline: isSet('s', this.#flags.dotMatchesNewline),
    }
  }

  /** Reads what follows the bracket that opens a class. */
  #class(): CharacterTest {
    const isNegated = this.#skip('^')
    const tests: CharacterTest[] = []
    do tests.push(this.#classMember())
    while (!this.#skip(']'))
    return (character) => tests.some((test) => test(character)) !== isNegated
  }

  #classMember(): CharacterTest {
    const [posix, negation, name = ''] = this.#match(/\[:(\^?)(.*?):\]/sy)
    if (posix !== undefined) return this.#namedClass(posix, posixClass(name), negation === '^')
    const escaped = this.#escapedClass()
    if (escaped) return escaped
    const low = this.#codePoint()
    const high = this.#match(/-(?!\])/y)[0] === undefined ? low : this.#codePoint()
    if (high < low) throw this.#fault('has a range whose end is before its start')
    return this.#folded((character) => {
      const codePoint = character.codePointAt(0) ?? 0
      return low <= codePoint && codePoint <= high
    })
  }

  #escapedClass(): CharacterTest | undefined {
    const [perl, letter = ''] = this.#match(/\\([DSWdsw])/y)
    if (perl !== undefined) return this.#namedClass(perl, perlClass(letter), false)
    const [text, sign, negation, name, short] = this.#match(/\\([Pp])(?:\{(\^?)([^}]*)\}|([^{]))/uy)
    if (text === undefined) return undefined
    return this.#namedClass(text, unicodeClass(name ?? short ?? ''), (sign === 'P') !== (negation === '^'))
  }

  #namedClass(text: string, test: CharacterTest | undefined, isNegated: boolean): CharacterTest {
    if (!test) throw this.#fault(`has the unknown class ${text}`)
    const folded = this.#folded(test)
    return (character) => folded(character) !== isNegated
  }

  /** Reads one character, escaped or not. */
  #codePoint(): number {
    if (!this.#skip('\\')) return this.#checkedCodePoint(this.#match(/./suy)[0]?.codePointAt(0))
    const [octal] = this.#match(/[1-7][0-7]{1,2}|0[0-7]{0,2}/y)
    if (octal !== undefined) return Number.parseInt(octal, 8)
    const [hexadecimal, short, long = ''] = this.#match(/x(?:([\dA-Fa-f]{2})|\{([\dA-Fa-f]+)\})/y)
    if (hexadecimal !== undefined) return this.#checkedCodePoint(Number.parseInt(short ?? long, 16))
    const [character] = this.#match(/[afnrtv]|(?![\dA-Za-z])\p{ASCII}/uy)
    return this.#checkedCodePoint((controlCharacters.get(character ?? '') ?? character)?.codePointAt(0))
  }

  #checkedCodePoint(codePoint: number | undefined): number {
    if (codePoint === undefined || codePoint > 0x10ffff) {
      throw this.#fault('has an escape that Go does not know, or ends too early')
    }
    return codePoint
  }

  #folded(test: CharacterTest): CharacterTest {
    return this.#flags.ignoreCase ? ignoringCase(test) : test
  }

  #skip(text: string): boolean {
    const isThere = this.#pattern.startsWith(text, this.#position)
    if (isThere) this.#position += text.length
    return isThere
  }

  /** Reads what a sticky expression matches here: the text and its groups, nothing when it does not match. */
  #match(expression: RegExp): (string | undefined)[] {
    expression.lastIndex = this.#position
    const found = expression.exec(this.#pattern)
    if (found) this.#position = expression.lastIndex
    return found ?? []
  }

  #fault(message: string): InvalidInputError {
    return new InvalidInputError(`regular expression ${JSON.stringify(shortened(this.#pattern))} ${message}`)
  }
}

function accepting(accepts: CharacterTest): PatternNode {
  return { kind: 'character', accepts }
}

function isWord(character: string | undefined): boolean {
  return character !== undefined && /^\w$/.test(character)
}

/** Returns whether counted repetitions inside one another stay below a number of repetitions in all, as Go has it. */
function repeatsAtMost(node: PatternNode, count: number): boolean {
  if (node.kind === 'sequence') return node.parts.every((part) => repeatsAtMost(part, count))
  if (node.kind === 'choice') return node.options.every((option) => repeatsAtMost(option, count))
  if (node.kind !== 'repeat' || node.most === 0) return true
  const times = node.most === Infinity ? node.least : node.most
  return times <= count && repeatsAtMost(node.part, times > 1 ? Math.floor(count / times) : count)
}
