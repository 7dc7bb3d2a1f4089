import assert from 'node:assert/strict'
import { test } from 'node:test'
import { threadMs } from '@wadi/testing/processor-time.ts'
import { variablesFromOutside } from './script-variables.ts'

test('a script takes what follows a dollar sign from outside', () => {
  const text = 'echo $A "${B}" ${C:-x} ${D%.*} ${#E} $1 $$ $(date) \'$F\' $a_1 PATH $G.yaml'
  assert.deepEqual([...variablesFromOutside(text)], ['A', 'B', 'C', 'D', 'E', 'F', 'a_1', 'G'])
  assert.deepEqual([...variablesFromOutside('no dollar sign')], [])
})

for (const [what, text, expected] of [
  ['what it only reads', 'helm template . --set image=$IMAGE --set IMAGE=$IMAGE', ['IMAGE']],
  ['no variable that it sets', 'if [ -f a ]; then EXTRA="--values a"; fi\nhelm template . $EXTRA', []],
  ['no variable that it sets beside others', 'A=1 B=2 run $A $B', []],
  ['no variable that it adds to', 'FLAGS+=" -x"\nhelm $FLAGS', []],
  ['no variable that it exports with a value', 'export -x A=1\nlocal B=2\necho $A $B', []],
  ['what it exports', 'export A\necho $A', ['A']],
  ['no variable of a loop', 'for F in $FILES; do cat $F; done', ['FILES']],
  ['no variable that it reads from a file', 'while read -r A B; do echo $A $B $C; done', ['C']],
  ['no variable that it clears', 'unset A\necho $A', []],
  [
    'a variable with a default',
    'REGION=${REGION:-eu}\n: ${ZONE:=a} ${NAME?set it}\necho $REGION',
    ['REGION', 'ZONE', 'NAME'],
  ],
  ['a value that looks like an option', 'tool --from=a;tool $A', ['A']],
] as const) {
  test(`a script takes ${what} from outside`, () => {
    assert.deepEqual([...variablesFromOutside(text)], expected)
  })
}

test('a long script is read in no time', () => {
  const text = `${'A=1 '.repeat(2_000)}\n${'export '.repeat(2_000)}\n${'for a b '.repeat(2_000)}`
  assert.ok(threadMs(() => variablesFromOutside(text)) < 5_000)
})
