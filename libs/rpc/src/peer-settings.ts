import { defineSettings } from './service-settings.ts'

/** The addresses of the services that several others call. */
export const peerSettings = defineSettings({
  repoServers: {
    type: 'urlList',
    flag: 'repo-servers',
    env: 'WADI_REPO_SERVERS',
    default: 'http://127.0.0.1:8081',
    description:
      'Addresses of the repo-servers. Requests about a repository go to one of them, which keeps its mirror.',
  },
  commitServers: {
    type: 'urlList',
    flag: 'commit-servers',
    env: 'WADI_COMMIT_SERVERS',
    default: 'http://127.0.0.1:8086',
    description:
      'Addresses of the commit-servers. Requests about a repository go to one of them, which writes it.',
  },
})
