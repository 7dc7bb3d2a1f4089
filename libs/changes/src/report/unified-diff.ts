import { createTwoFilesPatch } from 'diff/lib/patch/create.js'

/** Beyond this a minimal script takes too long to find; the whole text is shown as replaced then. */
const maxEditLength = 5_000
/** A script may be short and the search long all the same, in milliseconds. */
const maxSearchMs = 2_000

/** Two texts and what each is called. */
export interface TextPair {
  readonly before: string
  readonly after: string
  readonly labels: { readonly before: string; readonly after: string }
}

/** Returns a unified diff with three lines of context, within a bounded time whatever the texts are. */
export function unifiedDiff(pair: TextPair): string {
  const { before, after, labels } = pair
  const options = { context: 3, maxEditLength, timeout: maxSearchMs }
  const patch = createTwoFilesPatch(labels.before, labels.after, before, after, undefined, undefined, options)
  return patch === undefined ? wholesale(pair) : patch.replace(/^=+\n/, '')
}

function wholesale({ before, after, labels }: TextPair): string {
  return `--- ${labels.before}\n+++ ${labels.after}\n${signed(before, '-')}${signed(after, '+')}`
}

function signed(text: string, sign: string): string {
  return text.replaceAll(/^(?=.|\n)/gm, sign)
}
