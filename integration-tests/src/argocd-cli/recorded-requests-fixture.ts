/** A request that Argo CD's command line sent. */
export interface RecordedRequest {
  readonly method: string
  readonly request: Buffer
}

/** The requests that argocd 3.5.1 sent for some commands, byte for byte. */
export const recordedRequests = {
  /** `app create shop-web`, with the flags of a dry and a sync source, a label and `--validate=false`. */
  createApplication: recorded(
    '/application.ApplicationService/Create',
    'CtsBCiYKCHNob3Atd2ViEgAaACIAKgAyADgAQgBaDAoEdGVhbRIEc2hvcBJ7EigKHmh0dHBzOi8va3ViZXJuZXRlcy5kZWZhdWx0LnN2YxIEc2hvcBoAGgBKTQovCh1odHRwOi8vMTI3LjAuMC4xOjEvZGVwbG95LmdpdBIEbWFpbhoIYXBwcy93ZWISGgoRZW52aXJvbm1lbnRzL3Byb2QSA3dlYhoAGjQSHgoAEhgKDgoAEgAiAGIAagByAHoAEgYKABIAGgAaABoECgASAEoAUgIYAFoAagByAhoAEAAYAA==',
  ),
  /** `app list -l team=shop`. */
  listApplications: recorded('/application.ApplicationService/List', 'Kgl0ZWFtPXNob3A6AA=='),
  /** `app get shop-web`. */
  getApplication: recorded('/application.ApplicationService/Get', 'CghzaG9wLXdlYjoA'),
  /** `app set shop-web --dest-namespace store --validate=false`. */
  setNamespace: recorded(
    '/application.ApplicationService/UpdateSpec',
    'CghzaG9wLXdlYhK8AQo3Ch1odHRwOi8vMTI3LjAuMC4xOjEvZGVwbG95LmdpdBIIYXBwcy93ZWIiBG1haW5iAGoAcgB6ABIpCh5odHRwczovL2t1YmVybmV0ZXMuZGVmYXVsdC5zdmMSBXN0b3JlGgAaB2RlZmF1bHRKTQovCh1odHRwOi8vMTI3LjAuMC4xOjEvZGVwbG95LmdpdBIEbWFpbhoIYXBwcy93ZWISGgoRZW52aXJvbm1lbnRzL3Byb2QSA3dlYhoAGAAiAA==',
  ),
  /** `app set shop-web --revision next --validate=false`. */
  setRevision: recorded(
    '/application.ApplicationService/UpdateSpec',
    'CghzaG9wLXdlYhK8AQo3Ch1odHRwOi8vMTI3LjAuMC4xOjEvZGVwbG95LmdpdBIIYXBwcy93ZWIiBG5leHRiAGoAcgB6ABIpCh5odHRwczovL2t1YmVybmV0ZXMuZGVmYXVsdC5zdmMSBXN0b3JlGgAaB2RlZmF1bHRKTQovCh1odHRwOi8vMTI3LjAuMC4xOjEvZGVwbG95LmdpdBIEbWFpbhoIYXBwcy93ZWISGgoRZW52aXJvbm1lbnRzL3Byb2QSA3dlYhoAGAAiAA==',
  ),
  /** `app manifests shop-web`. */
  managedResources: recorded('/application.ApplicationService/ManagedResources', 'CghzaG9wLXdlYjoA'),
  /** `app sync shop-web`. */
  syncApplication: recorded('/application.ApplicationService/Sync', 'CghzaG9wLXdlYhIAGAAgACoGEgQKAggAYgA='),
  /** `app delete shop-web --yes --wait`. */
  deleteApplication: recorded('/application.ApplicationService/Delete', 'CghzaG9wLXdlYiIA'),
  /** `app delete shop-web --yes --wait`. */
  watchApplication: recorded('/application.ApplicationService/Watch', 'CghzaG9wLXdlYiIAOgA='),
  /** `proj create shop --description Shops` with a source and a destination. */
  createProject: recorded(
    '/project.ProjectService/Create',
    'CmwKFAoEc2hvcBIAGgAiACoAMgA4AEIAElIKHWh0dHA6Ly8xMjcuMC4wLjE6MS9kZXBsb3kuZ2l0EigKHmh0dHBzOi8va3ViZXJuZXRlcy5kZWZhdWx0LnN2YxIEc2hvcBoAGgVTaG9wc2gAGgA=',
  ),
  /** `proj get shop`. */
  getDetailedProject: recorded('/project.ProjectService/GetDetailedProject', 'CgRzaG9w'),
  /** `proj role create-token shop deployer`. */
  createToken: recorded('/project.ProjectService/CreateToken', 'CgRzaG9wGghkZXBsb3llcg=='),
  /** `proj delete shop`. */
  deleteProject: recorded('/project.ProjectService/Delete', 'CgRzaG9w'),
  /** `cluster get in-cluster`. */
  getCluster: recorded('/cluster.ClusterService/Get', 'Egppbi1jbHVzdGVy'),
  /** `repo get http://127.0.0.1:1/deploy.git`. */
  getRepository: recorded(
    '/repository.RepositoryService/Get',
    'Ch1odHRwOi8vMTI3LjAuMC4xOjEvZGVwbG95LmdpdA==',
  ),
  /** `repocreds add http://127.0.0.1:1/ --username bot --password secret-of-a-test`. */
  createCredentials: recorded(
    '/repocreds.RepoCredsService/CreateRepositoryCredentials',
    'CmEKE2h0dHA6Ly8xMjcuMC4wLjE6MS8SA2JvdBoQc2VjcmV0LW9mLWEtdGVzdCIAKgAyADoAQABIAFIAWABiA2dpdGoAmgEAoAEAugEAwAEAygEA0AEA6gEA8gEA+gEAggIA',
  ),
  /** `repocreds rm http://127.0.0.1:1/`. */
  deleteCredentials: recorded(
    '/repocreds.RepoCredsService/DeleteRepositoryCredentials',
    'ChNodHRwOi8vMTI3LjAuMC4xOjEv',
  ),
  /** `repo add http://127.0.0.1:1/deploy.git --type helm --name x`. */
  validateHelmRepository: recorded(
    '/repository.RepositoryService/ValidateAccess',
    'Ch1odHRwOi8vMTI3LjAuMC4xOjEvZGVwbG95LmdpdEoEaGVsbVIBeA==',
  ),
}

function recorded(method: string, base64: string): RecordedRequest {
  return { method, request: Buffer.from(base64, 'base64') }
}
