/** A repository that a forge of a test has. */
export interface ForgeData {
  id: number
  name: string
  defaultBranch: string
  archived?: boolean
  /** Topics, and for Gitea the labels of issues. */
  labels?: string[]
  /** Commits by branch. */
  branches: Record<string, string>
  /** Files of every branch. */
  files?: string[]
  pulls?: PullData[]
}

/** A pull request that a forge of a test has. */
export interface PullData {
  number: number
  title: string
  branch: string
  target: string
  sha: string
  /** Undefined for somebody who is gone. */
  author?: string
  labels?: string[]
  state?: 'opened' | 'merged'
}

/** True if a path is a file of the repository or a directory of one. */
export function hasPath({ files = [] }: ForgeData, path: string): boolean {
  return files.some((file) => file === path || file.startsWith(`${path}/`))
}

/** Three repositories: one with pull requests, one that is archived, one that is empty. */
export function someRepositories(): ForgeData[] {
  return [
    {
      id: 12345678,
      name: 'shop',
      defaultBranch: 'main',
      labels: ['deploy', 'team-a'],
      branches: { main: 'a'.repeat(40), 'release/1.0': 'b'.repeat(40) },
      files: ['deploy/kustomization.yaml', 'README.md'],
      pulls: [
        {
          number: 7,
          title: 'Add a basket',
          branch: 'feature/add_basket',
          target: 'main',
          sha: '1234567890abcdef1234567890abcdef12345678',
          author: 'ada',
          labels: ['preview', 'ui'],
        },
        {
          number: 9,
          title: 'Fix it',
          branch: 'fix',
          target: 'release/1.0',
          sha: 'f'.repeat(40),
          labels: ['ui'],
        },
        {
          number: 5,
          title: 'Merged',
          branch: 'old',
          target: 'main',
          sha: 'e'.repeat(40),
          author: 'bob',
          labels: ['preview'],
          state: 'merged',
        },
      ],
    },
    {
      id: 2,
      name: 'attic',
      defaultBranch: 'master',
      archived: true,
      labels: ['deploy'],
      branches: { master: 'c'.repeat(40) },
      files: ['deploy/app.yaml'],
    },
    { id: 3, name: 'fresh', defaultBranch: 'main', branches: {} },
  ]
}
