import assert from 'node:assert/strict'
import { test } from 'node:test'
import { create } from '@bufbuild/protobuf'
import { ListedOriginSchema } from '@wadi/protocol/gen/wadi/api_gateway/v1/objects_pb.ts'
import { type OriginNode, originTree } from './origin-tree.ts'

const listed = (owners: string[], template: string, objects: number, source = 0) =>
  create(ListedOriginSchema, { origin: { owners, template }, objects, source })

const shown = (nodes: readonly OriginNode[]): unknown[] =>
  nodes.map(({ label, objects, children, template }) => [
    `${label} ${objects}`,
    template?.position ?? shown(children),
  ])

test('templates are below their charts and subcharts, with the number of objects', () => {
  const tree = originTree(
    [listed(['shop'], 'web.yaml', 2), listed(['shop', 'redis'], 'set.yaml', 1), listed([], 'plain.yaml', 4)],
    [],
  )
  assert.deepEqual(shown(tree), [
    [
      'shop 3',
      [
        ['web.yaml 2', 1],
        ['redis 1', [['set.yaml 1', 2]]],
      ],
    ],
    ['plain.yaml 4', 3],
  ])
})

test('several dry sources are nodes of their own', () => {
  const tree = originTree(
    [listed(['shop'], 'a.yaml', 1, 1), listed(['shop'], 'a.yaml', 1, 2)],
    ['one', 'two'],
  )
  assert.deepEqual(shown(tree), [
    ['one 1', [['shop 1', [['a.yaml 1', 1]]]]],
    ['two 1', [['shop 1', [['a.yaml 1', 2]]]]],
  ])
})
