package v1

import rbacv1 "k8s.io/api/rbac/v1"

// GroupName is that of the types; the file that it comes from registers conversions, too.
const GroupName = rbacv1.GroupName
