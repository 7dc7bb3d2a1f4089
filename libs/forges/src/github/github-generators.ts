import { textAt, textsAt } from '../forge-values.ts'
import { pullRequestsIn, repositoriesIn } from './github-form.ts'

const query = { per_page: '100' }

/** The repositories of an organisation of GitHub; their topics are their labels. */
export const githubRepositories = repositoriesIn({
  field: 'github',
  ownerField: 'organization',
  query,
  shaAt: 'commit.sha',
  httpsAt: 'clone_url',
  repository: (item) => ({ organization: textAt(item, 'owner.login'), topics: textsAt(item, 'topics') }),
  labels: async (_api, { topics }) => topics,
})

/** The open pull requests of a repository of GitHub. */
export const githubPullRequests = pullRequestsIn('github', query)
