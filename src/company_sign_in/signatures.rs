//! Signatures of tokens, verified with ring: the only cryptography of the program's TLS, so that no second one comes in.

use jsonwebtoken::{
    Algorithm, AlgorithmFamily, DecodingKey, DecodingKeyKind,
    crypto::{CryptoProvider, JwtSigner, JwtVerifier, KeyUtils},
    errors::{ErrorKind, Result, new_error},
    signature::{Error as SignatureError, Verifier},
};
use ring::signature::{
    ECDSA_P256_SHA256_FIXED, ECDSA_P384_SHA384_FIXED, RSA_PKCS1_2048_8192_SHA256,
    RSA_PKCS1_2048_8192_SHA384, RSA_PKCS1_2048_8192_SHA512, RSA_PSS_2048_8192_SHA256,
    RSA_PSS_2048_8192_SHA384, RSA_PSS_2048_8192_SHA512, RsaParameters, RsaPublicKeyComponents,
    UnparsedPublicKey, VerificationAlgorithm,
};

/// The algorithms that are accepted: signatures with a public key alone. A token that is authenticated by the client's
/// secret, or not at all, is refused.
pub(super) const ACCEPTED: [Algorithm; 8] = [
    Algorithm::RS256,
    Algorithm::RS384,
    Algorithm::RS512,
    Algorithm::PS256,
    Algorithm::PS384,
    Algorithm::PS512,
    Algorithm::ES256,
    Algorithm::ES384,
];

static PROVIDER: CryptoProvider = CryptoProvider {
    signer_factory: |_, _| -> Result<Box<dyn JwtSigner>> {
        Err(new_error(ErrorKind::UnsupportedAlgorithm))
    },
    verifier_factory: |algorithm, key| RingVerifier::boxed(*algorithm, key),
    // Only for making keys, which this program does not.
    key_utils: KeyUtils::new_unimplemented(),
};

/// Makes ring the cryptography of tokens; a second call finds it installed.
pub(super) fn install_provider() {
    let _ = PROVIDER.install_default();
}

/// Verifies signatures of one algorithm with one key.
struct RingVerifier {
    algorithm: Algorithm,
    key: DecodingKeyKind,
}

impl RingVerifier {
    fn boxed(algorithm: Algorithm, key: &DecodingKey) -> Result<Box<dyn JwtVerifier>> {
        let is_accepted = ACCEPTED.contains(&algorithm);
        // Otherwise an elliptic key might be taken for one of RSA.
        let is_of_family = match algorithm {
            Algorithm::ES256 | Algorithm::ES384 => key.family() == AlgorithmFamily::Ec,
            _ => key.family() == AlgorithmFamily::Rsa,
        };
        if !is_accepted || !is_of_family {
            return Err(new_error(ErrorKind::UnsupportedAlgorithm));
        }
        Ok(Box::new(Self { algorithm, key: key.kind().clone() }))
    }
}

impl Verifier<Vec<u8>> for RingVerifier {
    fn verify(
        &self,
        message: &[u8],
        signature: &Vec<u8>,
    ) -> std::result::Result<(), SignatureError> {
        let refused = |_| SignatureError::new();
        match &self.key {
            DecodingKeyKind::RsaModulusExponent { n, e } => {
                let parameters = rsa_parameters(self.algorithm).ok_or_else(SignatureError::new)?;
                let key = RsaPublicKeyComponents { n, e };
                key.verify(parameters, message, signature).map_err(refused)
            }
            DecodingKeyKind::SecretOrDer(point) => {
                let curve = curve_of(self.algorithm).ok_or_else(SignatureError::new)?;
                UnparsedPublicKey::new(curve, point).verify(message, signature).map_err(refused)
            }
        }
    }
}

impl JwtVerifier for RingVerifier {
    fn algorithm(&self) -> Algorithm {
        self.algorithm
    }
}

fn rsa_parameters(algorithm: Algorithm) -> Option<&'static RsaParameters> {
    Some(match algorithm {
        Algorithm::RS256 => &RSA_PKCS1_2048_8192_SHA256,
        Algorithm::RS384 => &RSA_PKCS1_2048_8192_SHA384,
        Algorithm::RS512 => &RSA_PKCS1_2048_8192_SHA512,
        Algorithm::PS256 => &RSA_PSS_2048_8192_SHA256,
        Algorithm::PS384 => &RSA_PSS_2048_8192_SHA384,
        Algorithm::PS512 => &RSA_PSS_2048_8192_SHA512,
        _ => return None,
    })
}

fn curve_of(algorithm: Algorithm) -> Option<&'static dyn VerificationAlgorithm> {
    match algorithm {
        Algorithm::ES256 => Some(&ECDSA_P256_SHA256_FIXED),
        Algorithm::ES384 => Some(&ECDSA_P384_SHA384_FIXED),
        _ => None,
    }
}
