import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { join } from 'node:path'
import { test } from 'node:test'
import { ConnectError } from '@connectrpc/connect'
import { applicationObject, configMap } from '../application-fixture.ts'
import { meshOfFile } from '../mesh-fixture.ts'

const mesh = await meshOfFile()

test('no URL makes git run a program, read an option or leave its transports', async () => {
  const { fixture } = mesh
  const proof = join(fixture.directory, 'proof')
  const urls = [
    `ext::sh -c touch% ${proof}`,
    `--upload-pack=touch ${proof}`,
    `ssh://-oProxyCommand=touch ${proof}/x`,
    `-oProxyCommand=touch${proof}@host:x`,
    `git@host:--upload-pack=touch ${proof}`,
    'fd::17',
    'file:///etc',
    '/etc',
    `${mesh.git.server.url}/x.git?y\nhost=elsewhere`,
    'https://git.example.com/%0ahost=elsewhere',
    'https://user:password@git.example.com/x.git',
    'http://git.example.com/x.git',
    'git://git.example.com/x.git',
  ]
  for (const [index, repoURL] of urls.entries()) {
    const application = applicationObject({ name: `url-${index}`, repoURL, branch: 'environments/x' })
    await assert.rejects(fixture.gateway.applications.createApplication({ application }), (error) => {
      const { rawMessage } = ConnectError.from(error)
      assert.ok(!rawMessage.includes('password@'), rawMessage)
      return true
    })
  }
  assert.equal(existsSync(proof), false)
})

test('a redirect to another host gets no credentials', async () => {
  const { fixture, git } = mesh
  const seen: IncomingHttpHeaders[] = []
  const thief = createServer((request, response) => {
    seen.push(request.headers)
    response.writeHead(404).end()
  }).listen(0, '127.0.0.1')
  await once(thief, 'listening')
  const address = thief.address()
  const port = typeof address === 'object' ? address?.port : undefined
  git.listen(({ path }) => {
    return path.startsWith('/redirected.git')
      ? { status: 302, headers: { location: `http://localhost:${port}${path}` } }
      : undefined
  })
  const repoURL = `${git.server.url}/redirected.git`
  const message = await fixture.applyAndFail({ name: 'redirected', repoURL, branch: 'environments/x' })
  git.listen(undefined)
  thief.close()
  assert.match(message, /moved|redirect/)
  assert.deepEqual(
    seen.filter(({ authorization }) => authorization !== undefined),
    [],
  )
})

test('submodules, filters, hooks and configuration that a repository brings are not used', async () => {
  const { fixture } = mesh
  const proof = join(fixture.directory, 'hostile-proof')
  const repository = await fixture.createRepository('hostile', {
    'hostile/a.yaml': configMap('a', '1'),
    'hostile/.gitattributes': '*.yaml filter=evil diff=evil merge=evil\n',
    '.gitattributes': '* filter=evil\n',
    '.gitmodules': `[submodule "x"]\n\tpath = x\n\turl = ext::sh -c touch% ${proof}\n\tupdate = !touch ${proof}\n`,
    '.gitconfig': `[core]\n\tfsmonitor = touch ${proof}\n\thooksPath = hooks\n[filter "evil"]\n\tsmudge = touch ${proof}\n`,
    'hooks/post-checkout': `#!/bin/sh\ntouch ${proof}\n`,
  })
  const branch = 'environments/hostile'
  await fixture.applyAndWait(await repository.dry.head(), {
    name: 'hostile',
    repoURL: repository.url,
    branch,
  })
  assert.match(await repository.read(branch, 'hostile/manifest.yaml'), /value: "1"/)
  assert.equal(existsSync(proof), false)
})
