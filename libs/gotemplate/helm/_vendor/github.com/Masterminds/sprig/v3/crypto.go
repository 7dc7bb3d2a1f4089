package sprig

import (
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/hex"
	"fmt"
	"hash/adler32"
)

func sha512sum(text string) string {
	sum := sha512.Sum512([]byte(text))
	return hex.EncodeToString(sum[:])
}

func sha256sum(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

func sha1sum(text string) string {
	sum := sha1.Sum([]byte(text))
	return hex.EncodeToString(sum[:])
}

func adler32sum(text string) string { return fmt.Sprint(adler32.Checksum([]byte(text))) }

// LeftOut is the error of a function that is not compiled in.
type LeftOut struct{ Name string }

func (left LeftOut) Error() string { return "does not run the function " + left.Name }

// Without returns a function that fails: charts that call it are for helm itself.
func Without(name string) func(...interface{}) (string, error) {
	return func(...interface{}) (string, error) { return "", LeftOut{name} }
}

// What makes keys, certificates and passwords, most of it from chance.
var (
	bcrypt                                  = Without("bcrypt")
	htpasswd                                = Without("htpasswd")
	randBytes                               = Without("randBytes")
	uuidv4                                  = Without("uuidv4")
	derivePassword                          = Without("derivePassword")
	generatePrivateKey                      = Without("genPrivateKey")
	buildCustomCertificate                  = Without("buildCustomCert")
	generateCertificateAuthority            = Without("genCA")
	generateCertificateAuthorityWithPEMKey  = Without("genCAWithKey")
	generateSelfSignedCertificate           = Without("genSelfSignedCert")
	generateSelfSignedCertificateWithPEMKey = Without("genSelfSignedCertWithKey")
	generateSignedCertificate               = Without("genSignedCert")
	generateSignedCertificateWithPEMKey     = Without("genSignedCertWithKey")
	encryptAES                              = Without("encryptAES")
	decryptAES                              = Without("decryptAES")
)
