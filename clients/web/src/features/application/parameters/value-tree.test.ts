import assert from 'node:assert/strict'
import { test } from 'node:test'
import { create } from '@bufbuild/protobuf'
import { ParameterSchema } from '@wadi/protocol/gen/wadi/parameters/v1/parameters_pb.ts'
import type { EditedValue } from './parameter-edits.ts'
import {
  editsBySection,
  isSection,
  membersShown,
  openSections,
  type ValueSection,
  valueTree,
} from './value-tree.ts'

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

test('a name that is no path stays at the root', () => {
  const tree = treeOf(['.app.level', 'a.b.c', 'a.d'])
  assert.deepEqual(linesOf(tree), ['.app.level', 'a (2)', '  a.b (1)', '    a.b.c', '  a.d'])
})

test('sections know how many values are set, and how many edits are below them', () => {
  const three = ['a.b.c', 'a.b.d', 'a.e'].map((name) =>
    create(ParameterSchema, {
      name,
      ...(name === 'a.e' && { value: { kind: { case: 'text', value: '1' } } }),
    }),
  )
  assert.equal(valueTree(three, []).set, 1)
  const edits = new Map<string, EditedValue | 'unset'>([
    ['a.b.c', { case: 'text', value: 'x' }],
    ['a.e', 'unset'],
  ])
  assert.deepEqual(
    [...editsBySection(three, edits)],
    [
      ['a', { changed: 2, set: 0 }],
      ['a.b', { changed: 1, set: 1 }],
    ],
  )
})

test('sections begin open until as many members are drawn as the form begins with', () => {
  const names = Array.from({ length: 1000 }, (_, index) => `top${index % 50}.value${index}`)
  const tree = treeOf(names)
  const open = openSections([tree], 120)
  const drawn = [tree, ...open].reduce((sum, { members }) => sum + Math.min(members.length, membersShown), 0)
  assert.equal(open.size, 3)
  assert.equal(drawn, 110)
})
