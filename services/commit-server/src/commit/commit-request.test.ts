import assert from 'node:assert/strict'
import { test } from 'node:test'
import { create, type MessageInitShape } from '@bufbuild/protobuf'
import {
  type CommitManifests,
  type CommitManifestsRequest,
  CommitManifestsRequestSchema,
  type CommitManifestsSchema,
  type CommitPathDetailsSchema,
} from '@wadi/protocol/gen/wadi/commit_server/v1/commit_server_pb.ts'
import type { CommitContent } from '@wadi/git/commit/commit-contents.ts'
import { type CommitRequest, readCommitRequest } from './commit-request.ts'

type Header = MessageInitShape<typeof CommitManifestsSchema>
type Details = MessageInitShape<typeof CommitPathDetailsSchema>

const header = {
  repoUrl: 'https://git.example.com/a.git',
  targetBranch: 'env/dev',
  drySha: '1'.repeat(40),
  base: { headSha: '', drySha: '' },
}

const commit = (value: Header): MessageInitShape<typeof CommitManifestsRequestSchema> => ({
  message: { case: 'commit', value },
})
const details = (value: Details): MessageInitShape<typeof CommitManifestsRequestSchema> => ({
  message: { case: 'details', value },
})

async function read(
  messages: MessageInitShape<typeof CommitManifestsRequestSchema>[],
  maxBytes = 1_000,
  store: (header: CommitManifests, contents: readonly CommitContent[]) => Promise<void> = () =>
    assert.fail('a small commit is kept'),
): Promise<CommitRequest> {
  async function* stream(): AsyncGenerator<CommitManifestsRequest> {
    for (const message of messages) yield create(CommitManifestsRequestSchema, message)
  }
  return readCommitRequest(stream(), { maxBytes, onHeader: async () => undefined, store })
}

/** A manifest of 50 characters. */
function manifest(name: string): string {
  return `{"kind":"A","metadata":{"name":"${name}"}}`.padEnd(50)
}

test('details with one path after another make one manifest.yaml in the order in which they came', async () => {
  const { directories } = await read([
    commit({
      ...header,
      details: [{ path: './a/', manifests: [manifest('z')], readme: 'R', metadata: 'M' }],
    }),
    details({ path: 'a', manifests: [manifest('b'), manifest('a')] }),
    details({ path: 'b//c', manifests: [manifest('c')], readme: 'R2' }),
  ])
  assert.deepEqual(
    directories.map(({ manifests, readme, metadata, ...rest }) => ({
      ...rest,
      readme: readme?.toString(),
      metadata: metadata?.content.toString(),
      texts: manifests.map((file) => `${file.path}:\n${file.content.toString()}`),
    })),
    [
      {
        path: 'a',
        readme: 'R',
        metadata: 'M',
        files: [],
        gateRuns: [],
        texts: [
          'manifest.yaml:\nkind: A\nmetadata:\n  name: z\n---\nkind: A\nmetadata:\n  name: b\n---\nkind: A\nmetadata:\n  name: a\n',
        ],
      },
      {
        path: 'b/c',
        readme: 'R2',
        metadata: undefined,
        files: [],
        gateRuns: [],
        texts: ['manifest.yaml:\nkind: A\nmetadata:\n  name: c\n'],
      },
    ],
  )
})

test('a directory without any object has an empty manifest.yaml', async () => {
  const { directories } = await read([commit(header), details({ path: 'a' })])
  const [{ manifests, ...rest } = { manifests: [] }] = directories
  assert.deepEqual(
    manifests.map(({ path, content }) => [path, content.toString()]),
    [['manifest.yaml', '']],
  )
  assert.deepEqual(rest, { path: 'a', readme: undefined, metadata: undefined, files: [], gateRuns: [] })
})

test('manifests are divided among files in their order, over the borders of messages', async () => {
  const files = [
    { name: 'crds.yaml', count: 2 },
    { name: 'a-x.yaml', count: 1 },
  ]
  const { directories } = await read([
    commit(header),
    details({ path: 'a', manifests: [manifest('z')], manifestFiles: { files } }),
    details({ path: 'a', manifests: [manifest('b'), manifest('x')] }),
    details({ path: 'empty', manifestFiles: {} }),
  ])
  assert.deepEqual(
    directories.map((each) => each.manifests.map(({ path, content }) => [path, content.toString()])),
    [
      [
        ['crds.yaml', 'kind: A\nmetadata:\n  name: z\n---\nkind: A\nmetadata:\n  name: b\n'],
        ['a-x.yaml', 'kind: A\nmetadata:\n  name: x\n'],
      ],
      [],
    ],
  )
})

test('files with manifests have harmless names, each once, and hold all manifests', async () => {
  const refused = [
    [[{ name: '../x.yaml', count: 1 }], 'path "a": "../x.yaml" cannot hold manifests'],
    [[{ name: 'README.md', count: 1 }], 'path "a": "README.md" cannot hold manifests'],
    [
      [
        { name: 'x.yaml', count: 1 },
        { name: 'x.yaml', count: 0 },
      ],
      'path "a": "x.yaml" cannot hold manifests',
    ],
    [[{ name: 'x.yaml', count: 2 }], 'path "a": its files hold 2 of 1 manifests'],
  ] as const
  for (const [files, message] of refused) {
    const part = details({ path: 'a', manifests: [manifest('x')], manifestFiles: { files: [...files] } })
    await assert.rejects(read([commit(header), part]), { name: 'InvalidInputError', message })
  }
})

test('a path that comes again after another one is refused, in whatever spelling', async () => {
  const parts = ['a', 'b', './a'].map((path) => details({ path, manifests: [manifest('x')] }))
  await assert.rejects(read([commit(header), ...parts]), {
    name: 'InvalidInputError',
    message: 'path "a" comes twice',
  })
})

test('paths that are absolute or leave the branch are refused, to be written as well as to be removed', async () => {
  for (const path of ['/etc', '../a', 'a/../../b', 'a/.git/hooks', 'a\\b']) {
    await assert.rejects(read([commit(header), details({ path })]), { name: 'InvalidInputError' }, path)
    await assert.rejects(read([commit({ ...header, removedPaths: [path] })]), { name: 'InvalidInputError' })
  }
})

test('removed paths are cleaned and come once', async () => {
  const { removedPaths } = await read([commit({ ...header, removedPaths: ['./a', 'a/', 'b'] })])
  assert.deepEqual(removedPaths, ['a', 'b'])
})

test('the bytes of manifests are bounded over all messages of a commit', async () => {
  const four = [
    commit({ ...header, details: [{ path: 'a', manifests: [manifest('1')] }] }),
    details({ path: 'a', manifests: [manifest('2')] }),
    details({ path: 'b', manifests: [manifest('3'), manifest('4')] }),
  ]
  assert.equal((await read(four, 200)).directories.length, 2)
  await assert.rejects(read(four, 199), {
    name: 'ResourceExhaustedError',
    message: /manifests and files of one commit exceed 199 bytes/,
  })
})

test('what is not ASCII is counted by its bytes', async () => {
  const text = '{"a":"äöü"}'
  const request = [commit({ ...header, details: [{ path: 'a', manifests: [text] }] })]
  await read(request, Buffer.byteLength(text))
  await assert.rejects(read(request, Buffer.byteLength(text) - 1), { name: 'ResourceExhaustedError' })
})

test('files of all messages of a directory come together, checked and counted with the manifests', async () => {
  const parts = (...files: { path: string; content: string }[][]) => [
    commit(header),
    ...files.map((some) => details({ path: 'a', files: some })),
  ]
  const file = (path: string, content = 'ä'): { path: string; content: string } => ({ path, content })
  const { directories } = await read(parts([file('x')], [file('etc/y'), file('z', '')]))
  assert.deepEqual(
    directories[0]?.files.map(({ path, content }) => [path, content.toString()]),
    [
      ['x', 'ä'],
      ['etc/y', 'ä'],
      ['z', ''],
    ],
  )
  for (const path of ['', '/etc/passwd', '../a', 'a/../../b', 'a//b', 'a\u0001', 'a\\b', '.git/config']) {
    await assert.rejects(read(parts([file(path)])), { name: 'InvalidInputError' }, path)
  }
  await assert.rejects(read(parts([file('x')], [file('x')])), { message: /file "x" .* comes twice/ })
  const many = Array.from({ length: 1001 }, (_, index) => file(`f${index}`, ''))
  await assert.rejects(read(parts(many)), { name: 'ResourceExhaustedError' })
  await assert.rejects(read(parts([file('x')], [file('y')]), 3), { name: 'ResourceExhaustedError' })
})

test('the header comes once and before all details', async () => {
  await assert.rejects(read([]), { message: 'commit is required' })
  await assert.rejects(read([details({ path: 'a' }), commit(header)]), {
    message: 'commit comes before all details',
  })
  await assert.rejects(read([commit(header), commit(header)]), {
    message: 'commit comes once, before all details',
  })
})

test('a field that is missing or wrong is named', async () => {
  const refused: [Partial<typeof header> & { syncBranch?: string }, RegExp][] = [
    [{ repoUrl: '' }, /^repoURL is required$/],
    [{ targetBranch: '' }, /^targetBranch is required$/],
    [{ drySha: '' }, /^drySHA is required$/],
    [{ drySha: 'main' }, /^drySHA is not a full commit id$/],
    [{ targetBranch: '--force' }, /"--force" is not a branch name/],
    [{ targetBranch: 'refs/heads/x' }, /is not a branch name/],
    [{ syncBranch: 'a b' }, /"a b" is not a branch name/],
  ]
  for (const [change, message] of refused) {
    await assert.rejects(read([commit({ ...header, ...change })]), { name: 'InvalidInputError', message })
  }
  const { base: _base, ...withoutBase } = header
  await assert.rejects(read([commit(withoutBase)]), { message: 'base is required' })
})

test('a manifest that is not a JSON object is refused', async () => {
  for (const text of ['', '[]', '"a"', '{', 'kind: A']) {
    const request = read([commit(header), details({ path: 'a', manifests: [text] })])
    await assert.rejects(request, { name: 'InvalidInputError', message: /a manifest must be/ }, text)
  }
})

test('the contents of a large commit are stored while it comes, with what is compared kept', async () => {
  const large = 'x'.repeat(600 * 1024)
  const stored: string[] = []
  const parts = ['a', 'b', 'c'].map((path) =>
    details({ path, readme: `${path}${large}`, metadata: '{"tools":[{"name":"helm","version":"v4"}]}' }),
  )
  const { directories } = await read([commit(header), ...parts], 1e9, async ({ targetBranch }, contents) => {
    stored.push(`${targetBranch} ${contents.length}`)
    for (const content of contents) content.stored()
  })
  // A directory is whole when the next one begins.
  assert.deepEqual(stored, ['env/dev 6'])
  assert.deepEqual(
    directories.map(({ readme, metadata }) => [
      readme?.isStored,
      metadata?.record.tools.map(({ version }) => version).join(),
    ]),
    [
      [true, 'v4'],
      [true, 'v4'],
      [false, 'v4'],
    ],
  )
})

test('what keeps contents from being stored ends the commit', async () => {
  const parts = ['a', 'b', 'c'].map((path) => details({ path, readme: 'x'.repeat(1024 * 1024) }))
  const failing = () => Promise.reject(new Error('the disk is full'))
  await assert.rejects(read([commit(header), ...parts], 1e9, failing), { message: 'the disk is full' })
})
