import assert from 'node:assert/strict'
import { test } from 'node:test'
import { create } from '@bufbuild/protobuf'
import { ParameterSchema } from '@wadi/protocol/gen/wadi/parameters/v1/parameters_pb.ts'
import { isSection, parametersOf, type ValueSection, valueTree } from './value-tree.ts'

const treeOf = (names: readonly string[], tooltips: Record<string, string> = {}) =>
  valueTree(
    names.map((name) => create(ParameterSchema, { name })),
    Object.entries(tooltips).map(([name, tooltip]) => ({ name, tooltip })),
  )

/** A section as lines: each deeper by two spaces. */
function linesOf({ members }: ValueSection, indent = ''): string[] {
  return members.flatMap((member) =>
    isSection(member)
      ? [
          `${indent}${member.name} (${member.count}) ${member.tooltip}`.trimEnd(),
          ...linesOf(member, `${indent}  `),
        ]
      : [`${indent}${member.name}`],
  )
}

test('values stand below the objects and lists that they are in, in their order', () => {
  const names = [
    'replicas',
    'image.tag',
    'hosts[0].name',
    'hosts[0].paths[0]',
    'image.digest',
    String.raw`labels.a\.b/c`,
  ]
  assert.deepEqual(linesOf(treeOf(names, { image: 'The image' })), [
    'replicas',
    'image (2) The image',
    '  image.tag',
    '  image.digest',
    'hosts (2)',
    '  hosts[0] (2)',
    '    hosts[0].name',
    '    hosts[0].paths (1)',
    '      hosts[0].paths[0]',
    'labels (1)',
    String.raw`  labels.a\.b/c`,
  ])
})

test('a name that is no path stays at the root, and a section gives back its parameters', () => {
  const tree = treeOf(['.app.level', 'a.b.c', 'a.d'])
  assert.deepEqual(linesOf(tree), ['.app.level', 'a (2)', '  a.b (1)', '    a.b.c', '  a.d'])
  assert.deepEqual(
    parametersOf(tree).map(({ name }) => name),
    ['.app.level', 'a.b.c', 'a.d'],
  )
})
