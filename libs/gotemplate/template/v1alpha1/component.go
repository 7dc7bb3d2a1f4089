package v1alpha1

// ZarfComponent is a component after its imports.
type ZarfComponent struct {
	Name            string                          `json:"name"`
	Description     string                          `json:"description,omitempty"`
	Default         bool                            `json:"default,omitempty"`
	Required        *Flag                           `json:"required,omitempty"`
	Only            ZarfComponentOnlyTarget         `json:"only,omitempty"`
	DeprecatedGroup string                          `json:"group,omitempty"`
	Import          ZarfComponentImport             `json:"import,omitempty"`
	Manifests       []ZarfManifest                  `json:"manifests,omitempty"`
	Charts          []ZarfChart                     `json:"charts,omitempty"`
	DataInjections  []ZarfDataInjection             `json:"dataInjections,omitempty"`
	Files           []ZarfFile                      `json:"files,omitempty"`
	Images          []string                        `json:"images,omitempty"`
	ImageArchives   []ImageArchive                  `json:"imageArchives,omitempty"`
	Repos           []string                        `json:"repos,omitempty"`
	Actions         ZarfComponentActions            `json:"actions,omitempty"`
	HealthChecks    []NamespacedObjectKindReference `json:"healthChecks,omitempty"`
	StateAccess     []string                        `json:"stateAccess,omitempty"`
}

// IsRequired reports whether the component is always deployed.
func (c ZarfComponent) IsRequired() bool { return c.Required != nil && bool(*c.Required) }

// GetImages returns the images of the component and of its archives.
func (c ZarfComponent) GetImages() []string {
	images := append([]string{}, c.Images...)
	for _, archive := range c.ImageArchives {
		images = append(images, archive.Images...)
	}
	return images
}

// RequiresCluster reports whether the component has anything for a cluster.
func (c ZarfComponent) RequiresCluster() bool {
	return len(c.Images)+len(c.ImageArchives)+len(c.Charts)+len(c.Manifests)+len(c.Repos)+
		len(c.DataInjections)+len(c.HealthChecks) > 0
}

// ZarfComponentOnlyTarget is what a component is limited to.
type ZarfComponentOnlyTarget struct {
	LocalOS string                   `json:"localOS,omitempty"`
	Cluster ZarfComponentOnlyCluster `json:"cluster,omitempty"`
	Flavor  string                   `json:"flavor,omitempty"`
}

// ZarfComponentOnlyCluster is what clusters a component is limited to.
type ZarfComponentOnlyCluster struct {
	Architecture string   `json:"architecture,omitempty"`
	Distros      []string `json:"distros,omitempty"`
}

// ZarfComponentImport is where a component was imported from.
type ZarfComponentImport struct {
	Name string `json:"name,omitempty"`
	Path string `json:"path,omitempty"`
	URL  string `json:"url,omitempty"`
}

// ZarfManifest is a set of manifests.
type ZarfManifest struct {
	Name                       string   `json:"name"`
	Namespace                  string   `json:"namespace,omitempty"`
	Files                      []string `json:"files,omitempty"`
	KustomizeAllowAnyDirectory bool     `json:"kustomizeAllowAnyDirectory,omitempty"`
	Kustomizations             []string `json:"kustomizations,omitempty"`
	EnableKustomizePlugins     bool     `json:"enableKustomizePlugins,omitempty"`
	NoWait                     bool     `json:"noWait,omitempty"`
	ServerSideApply            string   `json:"serverSideApply,omitempty"`
	Template                   *Flag    `json:"template,omitempty"`
}

// ZarfChart is a chart.
type ZarfChart struct {
	Name                 string              `json:"name"`
	Version              string              `json:"version,omitempty"`
	URL                  string              `json:"url,omitempty"`
	RepoName             string              `json:"repoName,omitempty"`
	GitPath              string              `json:"gitPath,omitempty"`
	LocalPath            string              `json:"localPath,omitempty"`
	Namespace            string              `json:"namespace,omitempty"`
	ReleaseName          string              `json:"releaseName,omitempty"`
	NoWait               bool                `json:"noWait,omitempty"`
	ValuesFiles          []string            `json:"valuesFiles,omitempty"`
	TemplatedValuesFiles []string            `json:"templatedValuesFiles,omitempty"`
	Variables            []ZarfChartVariable `json:"variables,omitempty"`
	Values               []ZarfChartValue    `json:"values,omitempty"`
	SchemaValidation     *Flag               `json:"schemaValidation,omitempty"`
	ServerSideApply      string              `json:"serverSideApply,omitempty"`
}

// ZarfChartVariable puts a variable into the values of a chart.
type ZarfChartVariable struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	Path        string `json:"path"`
}

// ZarfChartValue puts a value into the values of a chart.
type ZarfChartValue struct {
	SourcePath   string   `json:"sourcePath"`
	TargetPath   string   `json:"targetPath"`
	ExcludePaths []string `json:"excludePaths,omitempty"`
}

// ZarfFile is a file or folder to be written.
type ZarfFile struct {
	Source      string   `json:"source"`
	Shasum      string   `json:"shasum,omitempty"`
	Target      string   `json:"target"`
	Executable  bool     `json:"executable,omitempty"`
	Symlinks    []string `json:"symlinks,omitempty"`
	ExtractPath string   `json:"extractPath,omitempty"`
	Template    *Flag    `json:"template,omitempty"`
}

// ImageArchive is an archive with images.
type ImageArchive struct {
	Path   string   `json:"path"`
	Images []string `json:"images"`
}

// NamespacedObjectKindReference names an object.
type NamespacedObjectKindReference struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Namespace  string `json:"namespace"`
	Name       string `json:"name"`
}

// ZarfDataInjection is data for a container.
type ZarfDataInjection struct {
	Source   string              `json:"source"`
	Target   ZarfContainerTarget `json:"target"`
	Compress bool                `json:"compress,omitempty"`
}

// ZarfContainerTarget is where data is injected.
type ZarfContainerTarget struct {
	Namespace string `json:"namespace"`
	Selector  string `json:"selector"`
	Container string `json:"container"`
	Path      string `json:"path"`
}

// ZarfComponentActions are commands around the stages of a package.
type ZarfComponentActions struct {
	OnCreate ZarfComponentActionSet `json:"onCreate,omitempty"`
	OnDeploy ZarfComponentActionSet `json:"onDeploy,omitempty"`
	OnRemove ZarfComponentActionSet `json:"onRemove,omitempty"`
}

// ZarfComponentActionSet are the commands of one stage.
type ZarfComponentActionSet struct {
	Before    []ZarfComponentAction `json:"before,omitempty"`
	After     []ZarfComponentAction `json:"after,omitempty"`
	OnSuccess []ZarfComponentAction `json:"onSuccess,omitempty"`
	OnFailure []ZarfComponentAction `json:"onFailure,omitempty"`
}

// ZarfComponentAction is a command.
type ZarfComponentAction struct {
	Cmd          string     `json:"cmd,omitempty"`
	Description  string     `json:"description,omitempty"`
	Dir          *Text      `json:"dir,omitempty"`
	Env          []string   `json:"env,omitempty"`
	SetVariables []Variable `json:"setVariables,omitempty"`
	SetValues    []SetValue `json:"setValues,omitempty"`
	Template     *Flag      `json:"template,omitempty"`
}

// SetValue is the value that takes the output of a command.
type SetValue struct {
	Key   string `json:"key,omitempty"`
	Value any    `json:"value,omitempty"`
	Type  string `json:"type,omitempty"`
}
