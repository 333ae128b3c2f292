//! Known answers of an independent implementation: n = m = 2, real index 2; composition with two keys.
//!
//! Each must be accepted, and refused after any one bit of a field was changed.

use curve25519_lanes::proofs::grootle::{self, Form, System};
use curve25519_lanes::proofs::one_of_many::Shape;
use curve25519_lanes::proofs::{schnorr, triptych};

use super::common::hex32;

const STATEMENT: &str = "\
    msg e581adfba1cdee47bc04b9fbea150daf9d4f5a9f1bf19fc14752293c055d1504 \n\
    M 0 822d9a29c38f69f69d74e4acffeb8154b9e518e5c2c46bbb2d88deb34b8cd89a 5f5c0ecef9fd32f9cf2e834466bf764cc2fb6d0552d03cbfb833b52a2fbb5ddb \n\
    M 1 f0dbd43f3052af6ca0335e65c1a4798634996c6db089a2ece3c83521c3ef8170 e95a06af18327a144cf5838ed47aa12a25027b2b54efda26cc4174adb41782ed \n\
    M 2 7a2f03715f751a6cfc2f001054174a4cf7c342208d9b4b99e713bded55e883ee 376c00d7431a27e79ebc03c166a65ecdc447b766904026249ed422411c8cb9ab \n\
    M 3 8deedd4798bd8d74480464cb300621126bc216984fbca223990c6dbb08e3f5ca 778d892f1c6133f4fbfb4c680b3933ae335d95af4245c3cd23d757bd25350e82 \n\
    C 403390fcf45ab4e507b88fee8df6f03c1f872074bcab6c1ddaf9770b55dce08d a567c12fa5e88d35a8d956c85ff013086edeab5a247e3c6620d1429510f04ac3 \n\
";

const CONCISE: &str = "\
    concise mu df12e831b135e4799557604da1730642ccd70fd3881e431079639ecc38909a0c xi d577d6c0d4f168dbc14e94a18f4f28ffd30c66acd455517ef54c75ff3a134d09 \n\
    A 7bfe89d5721f6b0e8ed185175c05351f809aab0ef0de940e453059d910cf726e \n\
    B 4194b3a9792ef69e35d941abcf107c91b950bd39a450c6fb192ab4ddbd660916 \n\
    X 7e36082dd77bf385dbf918f86a77133feb1c1a1c8e4e0b922ec084d2dd7bffcc a3b3fa21a68154ae3af6f75484b51de520d388aad8169132a9f1f1262e4a666a \n\
    f 026e796caa3c2150b94193f3e0c4c2099ed4cef9fb2fb2c3c992f3cc087f9305 8b4bb2b64b18b21bccb7fadcd9a8710a01161e55151f72a6728302008e00fe04 \n\
    zA 9a8782ce41291ddf449c6d5d42a76d7577c7a05c0bcb62f2f0e3fb8d54684107 \n\
    z e43dc765627cf5e8edf9373b161d3ed03c14048aeedd542d50013c48fbe4f60a \n\
";

const PLAIN: &str = "\
    plain xi cd1c3c4ea9a8ab629eadfce22642057837428e952aff4e6911261e559a80730e \n\
    A 6ba9f1df22dcba64b6df50cb4a7d6a403fdc947b964f33e6ffe2aae532186c23 \n\
    B 515bb3d18d87ed016b52cfd6064455cc37d38a61e46c1acf2a886e047bd5fc95 \n\
    X d5a6766ad3b9e995238434b405f3ee5166e9b3e3f2867416b45347a7a915bfa2 4060cc52585586431d10910d14fcfb70f9a0948893ffdb4ef9fab6dd47f14da4 57c2669173ff668a3d39d41af7cfab024d6436a3e8b10ae7d314d759f59d5a3e 6f6ecaa4d9cd06d6bf585ec7e31dbeaa533d6f0ea809e1a636aa204f519bb1e8 \n\
    f 4f95047c5984fd8e4e8a4840433eb61e8ea6bdc03c931a69043382c077e79303 daa0bcc6cbbb0642f6ef0d71b05ba6a10976747c19ffddae37b049e94378c608 \n\
    zA 37901c5b0936db8f75897b2ed0004e83fa30537484ded9aebefa94f80ed4ab0d \n\
    z 984745b27de8da2ef01cb1978a01df56150833886810e5fb3324d303a00c0a02 7d07d11f3b65885a9cfe1df8cd2da73c508beb431b129010ed7d53ff166d5b03 \n\
";

const TRIPTYCH: &str = "\
    triptych mu 79efb749705a2bf3ea65d76501364210d68d5c8f5394f4567a9759217b007f02 x bf9f5826baa9ac1a7be4ca92d35858b8c6449cb751c5e78a4650291ee42fac06 \n\
    J 07036e30fe21c03d754b0ac7b5124aa56f73139bfc131e3cdf9d7777c3924500 \n\
    K 4fcde6c98ec814052d07e5d80bb4ab77e2b612136bf09cd06b1581f252404fef \n\
    A e7c503a058f4a2de6119e51c411ab416cd4f905eaef45ae17541881b76c3641b \n\
    B b5fda7a3a4038ad744fdf541cd9e5390ac97afd6d90ac6e5f65c80be93dd457d \n\
    C c59d3a22c8bde8f9da817e98e2ffe3dcfcbe7e624343595ef68d4e321fdc8ef7 \n\
    D 2b3a38edd72cf862dc2cf22dae9c530fea7828c14e49c5d3dca1d887a7dbc978 \n\
    X c54013ec3fae38e7a23c5e9d266c619d3de659d26bb1050c8914246e89421402 210a89afe39840b738a5909cd06bc77fe11a530d69c82c1347ca019e859c0cba \n\
    Y 9ad3017efa5180cd85e74ff30c515f57d3af4fc4a6bd63122fedc060a2bc58ba e44094493023d23a9cf49609d4dac435ed0188626d76c58e473a4fc9aa64b015 \n\
    f 8b95cf3af9cce01a3f459c82acfffde6dc5a6497c4f4c794b8785d7c348fce06 96a6c8f25954880edb0ccc346bc0414f06fbc5866af8c7bc8e2808fe5558d70d \n\
    zA b3e10809e6192a453bf4152b9abc357dbfb75bb79e0ee7cd2994e6c68cc0ef00 \n\
    zC 322e6112f9272aea6f5142b0d166764be14089fd7f4a7f38865730be963b8004 \n\
    z cbc590812d299e06866c128e565ba0bf07d62ff31dec94e4616ecfed3e516101 \n\
";

const COMPOSITION: &str = "\
    comp K 091a6d7c5497905cb489ccab3619b664555cb0cd20a16e2b2bcb1636fc9f4dc2 5bfadf6f0f37852bc28aa3c835a655f4c974662dc4c879dd3c56401628f17a0a KI b05167b7207674569093e333bbac25a777aad524f1ce93dfb8ebc2f806c1a507 50ec8b6fc748f56c3be2eb68a96e38e06b1a4329ffbc758ffbdab26b4bd86bec \n\
    mu_a 95cb015efdf6b2a2fe0e31cee355d3e0e94a3a6662443cd1d5e7b8869e411806 mu_b efaedfae29968ca58c66a038c0c030be8f8a94cb1446f12cfe84a37bb3476006 m 8e2d37ced2959ece4b6ffc127d9c9f9bc73e1b52183e6001a94d8e8481506d04 \n\
    c d1be88d65eefb9fc9d30d1f8bd352da14212edabb516e4bbaadd209e364ebb02 \n\
    ra 3364f99649f41d47386cea6f1a5d0b522a31accc51357d2c7f38ce7c6f1aba08 \n\
    rb ac534f1ad59edb45e4d101fea2dccf15b9d4e682ff00148cd3d73219dcdb7206 \n\
    ri a1aacdd257ea139a556cfcd5f10f4ee5434a7d7f7b6cee772cf936d9a507bb09 e8845ecb80aa668d63f53cbec4a265563de914cd3979cbd12f770ebd385bc70f \n\
    Kt1 ac6c6a73cf6fcce91a91aa3a91260b61da5efe59f43099e0da3b9e55ba79fd1c ade654dc585c0e9170217c72de58c21baa27c8ae4a5368f9b5c50840429ed6a6 \n\
";

/// The 32-byte values that follow this word, up to the next word.
fn values(text: &str, word: &str) -> Vec<[u8; 32]> {
    let mut words = text.split_whitespace().skip_while(|w| *w != word);
    assert!(words.next().is_some(), "no {word}");
    words.take_while(|w| w.len() == 64).map(hex32).collect()
}

fn one(text: &str, word: &str) -> [u8; 32] {
    values(text, word)[0]
}

/// Both points of each of the four members.
fn ring() -> Vec<[u8; 32]> {
    STATEMENT.split_whitespace().filter(|w| w.len() == 64).skip(1).take(8).map(hex32).collect()
}

/// Calls `check` with each byte string one bit off, in turn.
fn each_bit_flip(fields: usize, mut check: impl FnMut(usize, u8)) {
    for field in 0..fields {
        check(field, 1 << (field % 7));
    }
}

#[test]
fn grootle_proofs() {
    let (ring, offsets, message) = (ring(), values(STATEMENT, "C"), one(STATEMENT, "msg"));
    for (form, text) in [(Form::Concise, CONCISE), (Form::Plain, PLAIN)] {
        let system = System::new(form, 2, 2, 2).unwrap();
        let proof = grootle::Proof {
            a: one(text, "A"),
            b: one(text, "B"),
            f: values(text, "f"),
            x: values(text, "X"),
            z_a: one(text, "zA"),
            z: values(text, "z"),
        };
        let verify = |proof: &grootle::Proof| {
            grootle::verify(&grootle::Statement { system, message, ring: &ring, offsets: &offsets, proof })
        };
        assert_eq!(verify(&proof), Ok(()));
        let bytes = proof.to_bytes();
        each_bit_flip(bytes.len() / 32, |field, bit| {
            let mut bytes = bytes.clone();
            bytes[32 * field + 5] ^= bit;
            assert!(verify(&grootle::Proof::from_bytes(&system, &bytes).unwrap()).is_err(), "{form:?} {field}");
        });
    }
}

#[test]
fn triptych_proof() {
    let shape = Shape::new(2, 2).unwrap();
    let (ring, message) = (ring(), one(STATEMENT, "msg"));
    let (offset, tag) = (values(STATEMENT, "C")[1], one(TRIPTYCH, "J"));
    let proof = triptych::Proof {
        k: one(TRIPTYCH, "K"),
        a: one(TRIPTYCH, "A"),
        b: one(TRIPTYCH, "B"),
        c: one(TRIPTYCH, "C"),
        d: one(TRIPTYCH, "D"),
        x: values(TRIPTYCH, "X"),
        y: values(TRIPTYCH, "Y"),
        f: values(TRIPTYCH, "f"),
        z_a: one(TRIPTYCH, "zA"),
        z_c: one(TRIPTYCH, "zC"),
        z: one(TRIPTYCH, "z"),
    };
    let verify = |proof: &triptych::Proof| {
        triptych::verify(&triptych::Statement { shape, message, ring: &ring, offset, tag, proof })
    };
    assert_eq!(verify(&proof), Ok(()));
    let bytes = proof.to_bytes();
    each_bit_flip(bytes.len() / 32, |field, bit| {
        let mut bytes = bytes.clone();
        bytes[32 * field + 5] ^= bit;
        assert!(verify(&triptych::Proof::from_bytes(&shape, &bytes).unwrap()).is_err(), "{field}");
    });
}

#[test]
fn composition_proof() {
    let (keys, tags, message) = (values(COMPOSITION, "K"), values(COMPOSITION, "KI"), one(STATEMENT, "msg"));
    let proof = schnorr::CompositionProof {
        c: one(COMPOSITION, "c"),
        r_a: one(COMPOSITION, "ra"),
        r_b: one(COMPOSITION, "rb"),
        r: values(COMPOSITION, "ri"),
        t: values(COMPOSITION, "Kt1"),
    };
    let verify = |proof: &schnorr::CompositionProof| {
        schnorr::verify(&schnorr::Statement { message, keys: &keys, tags: &tags, proof })
    };
    assert_eq!(verify(&proof), Ok(()));
    let bytes = proof.to_bytes();
    each_bit_flip(bytes.len() / 32, |field, bit| {
        let mut bytes = bytes.clone();
        bytes[32 * field + 5] ^= bit;
        assert!(verify(&schnorr::CompositionProof::from_bytes(2, &bytes).unwrap()).is_err(), "{field}");
    });
}
