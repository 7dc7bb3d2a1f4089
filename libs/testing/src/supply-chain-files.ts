/**
 * A platform team's chain, the package that it feeds and a developer's workload: the chain gives `replicas` a default and
 * fixes `registry`; the workload sets both.
 */
export const supplyChainFiles = {
  'wadi.yaml': 'platform: [platform]\n',
  'platform/web.yaml': `apiVersion: carto.run/v1alpha1
kind: ClusterSupplyChain
metadata: {name: web}
spec:
  selector: {app.example.com/type: web}
  params:
    - {name: replicas, default: 2}
    - {name: registry, value: registry.corp}
    - {name: limits, default: {cpu: 1, memory: 1Gi}}
  resources:
    - name: image
      templateRef: {kind: ClusterImageTemplate, name: kpack-image}
    - name: deploy
      templateRef: {kind: ClusterTemplate, name: web-package}
      params: [{name: logLevel, default: info}]
      images: [{name: image, resource: image}]
---
apiVersion: carto.run/v1alpha1
kind: ClusterImageTemplate
metadata: {name: kpack-image, annotations: {wadi.dev/emit: "false"}}
spec:
  imagePath: .status.latestImage
  template: {apiVersion: kpack.io/v1alpha2, kind: Image, metadata: {name: $(workload.metadata.name)$}}
---
apiVersion: carto.run/v1alpha1
kind: ClusterTemplate
metadata: {name: web-package}
spec:
  params:
    - {name: replicas, default: 1}
    - {name: logLevel, default: warn}
  template:
    apiVersion: wadi.dev/v1alpha1
    kind: Render
    metadata: {name: $(workload.metadata.name)$}
    spec:
      path: packages/web
      package:
        values:
          app:
            name: $(workload.metadata.name)$
            replicas: $(params.replicas)$
            image: $(images.image.image)$
            logLevel: $(params.logLevel)$
            limits: $(params.limits)$
        variables: {LEVEL: $(params.logLevel)$}
`,
  'packages/web/zarf.yaml': `kind: ZarfPackageConfig
metadata: {name: web}
values: {files: [values.yaml]}
variables:
  - {name: LEVEL, default: warn}
  - {name: REGION, default: eu}
constants:
  - {name: TEAM, value: web}
components:
  - name: web
    required: true
    charts:
      - {name: web, namespace: web, localPath: chart, values: [{sourcePath: .app, targetPath: ., excludePaths: [.app.logLevel, .app.limits]}]}
    manifests:
      - {name: config, namespace: web, template: true, files: [configmap.yaml]}
`,
  'packages/web/zarf-config.yaml': 'package:\n  deploy:\n    set:\n      level: debug\n      region: us\n',
  'packages/web/values.yaml':
    'app:\n  name: web\n  replicas: 1\n  image: none\n  logLevel: warn\n  limits: {}\n',
  'packages/web/configmap.yaml':
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: config}\ndata: {level: "{{ .Values.app.logLevel }}"}\n',
  'packages/web/chart/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
  'packages/web/chart/values.yaml': 'name: chart\nreplicas: 3\n',
  'packages/web/chart/templates/all.yaml':
    'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: "{{ .Values.name }}"}\nspec: {replicas: {{ .Values.replicas }}}\n',
  'apps/shop/prod/workload.yaml': `apiVersion: carto.run/v1alpha1
kind: Workload
metadata: {name: shop, namespace: web, labels: {app.example.com/type: web}}
spec:
  params:
    - {name: replicas, value: 5}
    - {name: registry, value: evil.example}
    - name: limits
      value:
        cpu: 2
`,
  'apps/shop/prod/outputs.yaml': 'previousOutputs: {image: {image: "registry.corp/shop@sha256:4f1d"}}\n',
}
