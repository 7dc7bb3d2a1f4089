import { textAt } from '../forge-values.ts'
import { pullRequestsIn, repositoriesIn } from '../github/github-form.ts'

/** Servers give at most 50 items a page unless they are set up otherwise. */
const query = { limit: '50' }

/** The repositories of an organisation; as in Argo CD the labels of their issues are their labels. */
export const giteaRepositories = repositoriesIn({
  field: 'gitea',
  ownerField: 'owner',
  query,
  shaAt: 'commit.id',
  // As in Argo CD the one without `.git`.
  httpsAt: 'html_url',
  repository: (_item, owner) => ({ organization: owner, topics: [] }),
  labels: (api, { organization, name }) =>
    api.all({ path: ['repos', organization, name, 'labels'], query }, (item) => textAt(item, 'name')),
})

/** The open pull requests of a repository of Gitea or Forgejo. */
export const giteaPullRequests = pullRequestsIn('gitea', { ...query, state: 'open' })
