// Package v1alpha1 holds what templates of a Zarf package see as .Pkg. Templates name the fields and Go's messages
// name the types, so both are those of Zarf.
package v1alpha1

import "fmt"

// ZarfPackage is a package definition after its imports.
type ZarfPackage struct {
	APIVersion    string                `json:"apiVersion,omitempty"`
	Kind          string                `json:"kind"`
	Metadata      ZarfMetadata          `json:"metadata,omitempty"`
	Build         ZarfBuildData         `json:"build,omitempty"`
	Components    []ZarfComponent       `json:"components"`
	Constants     []Constant            `json:"constants,omitempty"`
	Variables     []InteractiveVariable `json:"variables,omitempty"`
	Values        ZarfValues            `json:"values,omitempty"`
	Documentation map[string]string     `json:"documentation,omitempty"`
}

// IsInitConfig is always false of a package that can be hydrated.
func (pkg ZarfPackage) IsInitConfig() bool { return pkg.Kind == "ZarfInitConfig" }

// GetComponent returns the component of that name.
func (pkg ZarfPackage) GetComponent(name string) (ZarfComponent, error) {
	for _, component := range pkg.Components {
		if component.Name == name {
			return component, nil
		}
	}
	return ZarfComponent{}, fmt.Errorf("no component named %q in package %q", name, pkg.Metadata.Name)
}

// HasImages reports whether any component has images.
func (pkg ZarfPackage) HasImages() bool {
	for _, component := range pkg.Components {
		if len(component.Images) > 0 || len(component.ImageArchives) > 0 {
			return true
		}
	}
	return false
}

// AllowsNamespaceOverride is true unless the package says otherwise.
func (pkg ZarfPackage) AllowsNamespaceOverride() bool {
	return pkg.Metadata.AllowNamespaceOverride == nil || bool(*pkg.Metadata.AllowNamespaceOverride)
}

// ZarfMetadata is what a package says about itself.
type ZarfMetadata struct {
	Name                   string            `json:"name"`
	Description            string            `json:"description,omitempty"`
	Version                string            `json:"version,omitempty"`
	URL                    string            `json:"url,omitempty"`
	Image                  string            `json:"image,omitempty"`
	Uncompressed           bool              `json:"uncompressed,omitempty"`
	Architecture           string            `json:"architecture,omitempty"`
	YOLO                   bool              `json:"yolo,omitempty"`
	Authors                string            `json:"authors,omitempty"`
	Documentation          string            `json:"documentation,omitempty"`
	Source                 string            `json:"source,omitempty"`
	Vendor                 string            `json:"vendor,omitempty"`
	AggregateChecksum      string            `json:"aggregateChecksum,omitempty"`
	Annotations            map[string]string `json:"annotations,omitempty"`
	AllowNamespaceOverride *Flag             `json:"allowNamespaceOverride,omitempty"`
}

// ZarfBuildData stays empty: a package that is hydrated was never built.
type ZarfBuildData struct {
	Terminal, User, Architecture, Timestamp, Version string
	Migrations                                       []string
	RegistryOverrides                                map[string]string
	Differential                                     bool
	DifferentialPackageVersion                       string
	DifferentialMissing                              []string
	Flavor                                           string
	Signed                                           *Flag
	VersionRequirements                              []VersionRequirement
	ProvenanceFiles                                  []string
}

// VersionRequirement is the oldest Zarf that a package works with.
type VersionRequirement struct{ Version, Reason string }

// Variable is the part that all kinds of variables share.
type Variable struct {
	Name       string `json:"name"`
	Sensitive  bool   `json:"sensitive,omitempty"`
	AutoIndent bool   `json:"autoIndent,omitempty"`
	Pattern    string `json:"pattern,omitempty"`
	Type       string `json:"type,omitempty"`
}

// InteractiveVariable is a variable of a package.
type InteractiveVariable struct {
	Variable
	Description string `json:"description,omitempty"`
	Default     string `json:"default,omitempty"`
	Prompt      bool   `json:"prompt,omitempty"`
}

// Constant is a constant of a package.
type Constant struct {
	Name        string `json:"name"`
	Value       string `json:"value"`
	Description string `json:"description,omitempty"`
	AutoIndent  bool   `json:"autoIndent,omitempty"`
	Pattern     string `json:"pattern,omitempty"`
}

// ZarfValues names the values files and the schema.
type ZarfValues struct {
	Files  []string `json:"files,omitempty"`
	Schema string   `json:"schema,omitempty"`
}
