import { clusterSuites } from '../../cluster-suites-fixture.ts'
import { apiContract } from './api-contract-fixture.ts'

clusterSuites(
  (clusterName) => `the contract of the Kubernetes API, kept by the ${clusterName}`,
  (at) => {
    apiContract('cluster', {
      get client() {
        return at.client
      },
      createNamespace: () => at.cluster.createNamespace(),
    })
  },
)
