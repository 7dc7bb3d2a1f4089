import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scanJsonnetImports } from './jsonnet-import-scan.ts'

const cases: readonly (readonly [text: string, imports: readonly string[]])[] = [
  [
    `local a = import 'a.libsonnet'; importstr "b.txt" + importbin @'c.bin'`,
    ['import a.libsonnet', 'importstr b.txt', 'importbin c.bin'],
  ],
  [`// import '../../x'\n# import "y"\n/* import 'z'\n import 'q' */ import 'a'`, ['import a']],
  [`import /* of */ // all\n 'a'`, ['import a']],
  [`"import 'x'" + 'it\\'s import "y"' + @'import ''z''' + import 'a'`, ['import a']],
  [`|||\n  import 'x'\n\n    ||| import 'y'\n||| + import 'a'`, ['import a']],
  [`|||-\n\t'\n  ||| + import 'a'`, ['import a']],
  [`{ 'https://x': 1, "a#b": import 'a' }`, ['import a']],
  [`important 'x'; reimport 'y'; import 'a`, []],
  [`/* import 'x'`, []],
  [`import 'a' // the last line`, ['import a']],
]

test('imports are found where Jsonnet evaluates them, and not in comments and strings', () => {
  for (const [text, imports] of cases) {
    const found = [...scanJsonnetImports(text)].map(({ keyword, name }) => `${keyword} ${name}`)
    assert.deepEqual(found, imports, text)
  }
})

test('a hostile text is scanned once', () => {
  for (const part of [' |||\n', '|||\n ', '@"', "'", '/*', 'import ', '\\"'])
    assert.deepEqual([...scanJsonnetImports(part.repeat(200_000))], [])
})
