/** The Helm whose packages the program is made of: it renders what this version of the helm program does. */
export const helmOfCharts = 'v4.1.4'

/** The version of Kustomize that is compiled in: `libs/gotemplate/build.ts` links it, and `kustomize/go.mod` has its modules. */
export const kustomizeVersion = 'v5.7.1'
