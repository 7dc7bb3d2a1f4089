import { mkdtempDisposable } from 'node:fs/promises'
import { enableCompileCache, flushCompileCache } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { compileCache } from '@wadi/testing/quick-start.ts'
import { shareToolCache } from '@wadi/testing/tool-cache.ts'

// Starts and ends a mesh, before all tests of a fresh clone: it compiles the code and unpacks the renderers that the first processes of tests would
// else compile and unpack at the same time, each for itself.

enableCompileCache(compileCache)
const { startMesh } = await import('@wadi/mesh/mesh.ts')
await using directory = await mkdtempDisposable(path.join(tmpdir(), 'wadi-warm-caches-'))
await shareToolCache(directory.path)
const mesh = await startMesh({
  dataDirectory: directory.path,
  listen: '127.0.0.1:0',
  environment: { WADI_LOG_LEVEL: 'error' },
})
await mesh[Symbol.asyncDispose]()
flushCompileCache()
