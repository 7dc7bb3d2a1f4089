import path from 'node:path'

const crdDirectory = path.resolve(import.meta.dirname, '../../../../deploy/crds')

/** The files of Wadi's CustomResourceDefinitions. */
export const crdFiles = ['applications', 'applicationsets', 'appprojects', 'hydratedbranches'].map((name) =>
  path.join(crdDirectory, `${name}.yaml`),
)
