import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkConsoleLayers } from './console-layers.ts'

const module = (file: string, specifier: string) => ({
  file: `clients/web/src/${file}`,
  imports: [{ line: 3, specifier, typeOnly: false }],
})

test('imports of the console run in one direction, and from no feature to another', () => {
  const problems = checkConsoleLayers([
    module('app/router.tsx', '../features/branches/branches-page.tsx'),
    module('features/branches/branches-page.tsx', './branch-row.tsx'),
    module('features/branches/branches-page.tsx', '../../components/age.tsx'),
    module('features/branches/branches-page.tsx', '../applications/application-list.tsx'),
    module('components/age.tsx', '../features/branches/branch-row.tsx'),
    module('words/age.ts', '../app/theme.ts'),
  ])
  assert.deepEqual(
    problems.map(({ file, message }) => [file.slice('clients/web/src/'.length), message]),
    [
      [
        'features/branches/branches-page.tsx',
        'the feature branches may not import the feature applications: move what both need to components, server or words',
      ],
      ['components/age.tsx', 'components may not import features'],
      ['words/age.ts', 'words may not import app'],
    ],
  )
})
