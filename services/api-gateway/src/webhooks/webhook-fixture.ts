import { createHmac } from 'node:crypto'
import type { WebhookSecrets } from './webhook-authentication.ts'

/** A push as one provider sends it. */
export interface ProviderPush {
  name: string
  secrets: WebhookSecrets
  /** The headers of a request with this body that is signed with the right secret, or with another one. */
  headers(body: string, isRight?: boolean): Record<string, string>
  payload: Record<string, unknown>
  repoUrls: string[]
}

const secret = 'a shared secret'

function hmac(body: string, isRight = true): string {
  return createHmac('sha256', isRight ? secret : 'another secret')
    .update(body)
    .digest('hex')
}

/** The commit that each of them brings `main` to. */
export const after = '0f2c7d9be1c8a5d3b7f6e4a291c0d8e7f6a5b4c3'

/** A push of each provider, with those fields of its documented payload that name what was pushed. */
export const providerPushes: readonly ProviderPush[] = [
  {
    name: 'GitHub',
    secrets: { 'webhook.github.secret': secret },
    headers: (body, isRight) => ({
      'x-github-event': 'push',
      'x-github-delivery': 'b6f3a7c0-6a5e-11f0-9d3e-5f1f8b7a2c4d',
      'x-hub-signature-256': `sha256=${hmac(body, isRight)}`,
    }),
    payload: {
      ref: 'refs/heads/main',
      after,
      repository: {
        full_name: 'acme/deploy',
        html_url: 'https://github.com/acme/deploy',
        clone_url: 'https://github.com/acme/deploy.git',
        ssh_url: 'git@github.com:acme/deploy.git',
      },
    },
    repoUrls: ['https://github.com/acme/deploy.git'],
  },
  {
    name: 'GitLab',
    secrets: { 'webhook.gitlab.secret': secret },
    headers: (_body, isRight = true) => ({
      'x-gitlab-event': 'Push Hook',
      'x-gitlab-token': isRight ? secret : 'another secret',
      'idempotency-key': 'f5e5f430-f57b-4e6e-9fac-d9128cd7232f',
    }),
    payload: {
      object_kind: 'push',
      ref: 'refs/heads/main',
      after,
      project: {
        web_url: 'https://gitlab.com/acme/deploy',
        git_ssh_url: 'git@gitlab.com:acme/deploy.git',
        git_http_url: 'https://gitlab.com/acme/deploy.git',
      },
    },
    repoUrls: ['https://gitlab.com/acme/deploy.git'],
  },
  {
    name: 'Gitea',
    secrets: { 'webhook.gitea.secret': secret },
    headers: (body, isRight) => ({
      'x-gitea-event': 'push',
      'x-gogs-event': 'push',
      'x-github-event': 'push',
      'x-gitea-delivery': 'f6266f16-1bf3-46a5-9ea4-602e06ead473',
      'x-gitea-signature': hmac(body, isRight),
    }),
    payload: {
      ref: 'refs/heads/main',
      after,
      repository: {
        html_url: 'https://gitea.example.com/acme/deploy',
        ssh_url: 'ssh://git@gitea.example.com:2222/acme/deploy.git',
        clone_url: 'https://gitea.example.com/acme/deploy.git',
      },
    },
    repoUrls: ['https://gitea.example.com/acme/deploy.git'],
  },
  {
    name: 'Gogs',
    secrets: { 'webhook.gogs.secret': secret },
    headers: (body, isRight) => ({
      'x-gogs-event': 'push',
      'x-github-event': 'push',
      'x-gogs-delivery': 'a1c3',
      'x-gogs-signature': hmac(body, isRight),
    }),
    payload: {
      ref: 'refs/heads/main',
      after,
      repository: { clone_url: 'https://gogs.example.com/acme/deploy.git' },
    },
    repoUrls: ['https://gogs.example.com/acme/deploy.git'],
  },
  {
    name: 'Bitbucket Cloud',
    secrets: { 'webhook.bitbucket.uuid': '{6e2f0c5a-12ab-4c3d-9e8f-0a1b2c3d4e5f}' },
    headers: (_body, isRight = true) => ({
      'x-event-key': 'repo:push',
      'x-hook-uuid': isRight ? '6e2f0c5a-12ab-4c3d-9e8f-0a1b2c3d4e5f' : '6e2f0c5a',
      'x-request-uuid': '9c1d',
    }),
    payload: {
      push: { changes: [{ new: { type: 'branch', name: 'main', target: { hash: after } } }] },
      repository: {
        full_name: 'acme/deploy',
        links: { html: { href: 'https://bitbucket.org/acme/deploy' } },
      },
    },
    repoUrls: ['https://bitbucket.org/acme/deploy'],
  },
  {
    name: 'Bitbucket Server',
    secrets: { 'webhook.bitbucketserver.secret': secret },
    headers: (body, isRight) => ({
      'x-event-key': 'repo:refs_changed',
      'x-request-id': '3f1b',
      'x-hub-signature': `sha256=${hmac(body, isRight)}`,
    }),
    payload: {
      eventKey: 'repo:refs_changed',
      repository: {
        slug: 'deploy',
        project: { key: 'ACME' },
        links: {
          clone: [
            { href: 'ssh://git@bitbucket.example.com:7999/acme/deploy.git', name: 'ssh' },
            { href: 'https://bitbucket.example.com/scm/acme/deploy.git', name: 'http' },
          ],
          self: [{ href: 'https://bitbucket.example.com/projects/ACME/repos/deploy/browse' }],
        },
      },
      changes: [{ ref: { id: 'refs/heads/main' }, toHash: after, type: 'UPDATE' }],
    },
    repoUrls: ['ssh://git@bitbucket.example.com:7999/acme/deploy.git'],
  },
  {
    name: 'Azure DevOps',
    secrets: { 'webhook.azuredevops.username': 'hook', 'webhook.azuredevops.password': secret },
    headers: (_body, isRight = true) => ({
      'x-vss-activityid': '5b2e',
      'x-vss-subscriptionid': '7d41',
      authorization: `Basic ${Buffer.from(`hook:${isRight ? secret : 'another'}`).toString('base64')}`,
    }),
    payload: {
      id: '03c164c2-8912-4d5e-8009-3707d5f83734',
      eventType: 'git.push',
      publisherId: 'tfs',
      resource: {
        refUpdates: [{ name: 'refs/heads/main', newObjectId: after }],
        repository: { name: 'deploy', remoteUrl: 'https://acme@dev.azure.com/acme/web/_git/deploy' },
      },
    },
    repoUrls: ['https://dev.azure.com/acme/web/_git/deploy'],
  },
]
