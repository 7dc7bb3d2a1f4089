import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CorruptMirrorError } from '../process/git-failure.ts'
import { TreeEntries, type TreeEntry } from './tree-entries.ts'

/** A tree object as git writes it; the id of an entry is filled with one byte. */
function treeObject(
  entries: readonly (readonly [mode: string, name: string | Buffer, fill: number])[],
  idBytes = 20,
): Buffer {
  const parts = entries.map(([mode, name, fill]) =>
    Buffer.concat([
      Buffer.from(`${mode} `),
      Buffer.from(name),
      Buffer.from([0]),
      Buffer.alloc(idBytes, fill),
    ]),
  )
  return Buffer.concat(parts)
}

const many = Array.from(
  { length: 500 },
  (_, index) =>
    [index % 3 === 0 ? '40000' : '100644', `name-${String(index).padStart(3, '0')}`, index % 256] as const,
)

function textOf(entry: TreeEntry | undefined): string | undefined {
  return entry && `${entry.mode} ${entry.kind} ${entry.name} ${entry.id}`
}

test('a name that is looked for is the entry that is listed, however often names of a large tree were asked for', () => {
  for (const idBytes of [20, 32]) {
    const bytes = treeObject(many, idBytes)
    const listed = new TreeEntries(bytes, idBytes).list()
    assert.deepEqual(
      listed.map(({ name }) => name),
      many.map(([, name]) => name),
    )
    assert.equal(textOf(listed[3]), `040000 directory name-003 ${'03'.repeat(idBytes)}`)
    for (const asked of [5, 100]) {
      const tree = new TreeEntries(bytes, idBytes)
      for (const entry of listed.slice(0, asked)) assert.deepEqual(tree.get(entry.name), entry)
      assert.deepEqual(tree.get('name-499'), listed[499])
      assert.equal(tree.size, 500)
      assert.deepEqual(tree.list(), listed)
    }
  }
})

test('only a whole name is found, and never in the names of objects', () => {
  const insideId = [...many, ['100644', 'other', 0x61] as const]
  const bytes = treeObject(insideId)
  // A space, a name and NUL within the name of an object, as a hash can have them.
  Buffer.from(' x\0').copy(bytes, bytes.length - 10)
  for (const name of [
    'name-00',
    'name-0001',
    'ame-001',
    'x',
    'aaaa',
    '',
    'name-001\0',
    `name-001\0${'\u0001'.repeat(20)}100644 name-002`,
  ]) {
    assert.equal(new TreeEntries(bytes, 20).get(name), undefined, JSON.stringify(name))
  }
})

test('names of any script are found, and those that are not UTF-8 under what they are listed as', () => {
  const latin = Buffer.from('caf\u00e9', 'latin1')
  const tree = new TreeEntries(treeObject([...many, ['100755', 'λ-app', 1], ['120000', latin, 2]]), 20)
  assert.equal(textOf(tree.get('λ-app')), `100755 executable λ-app ${'01'.repeat(20)}`)
  assert.equal(textOf(tree.get('caf\uFFFD')), `120000 symlink caf\uFFFD ${'02'.repeat(20)}`)
  assert.equal(tree.get('café'), undefined)
})

test('the last of equal names counts, before and after all entries were made', () => {
  const tree = new TreeEntries(treeObject([...many, ['100644', 'name-007', 0xff]]), 20)
  const found = tree.get('name-007')
  assert.equal(found?.id, 'ff'.repeat(20))
  assert.equal(tree.list().length, 500)
  assert.deepEqual(tree.get('name-007'), found)
})

test('an empty tree has nothing, and one that is cut short is damage', () => {
  assert.deepEqual(new TreeEntries(Buffer.alloc(0), 20).list(), [])
  const bytes = treeObject(many)
  for (const end of [3, 8, 20, bytes.length - 1]) {
    assert.throws(() => new TreeEntries(bytes.subarray(0, end), 20), CorruptMirrorError, String(end))
  }
})
