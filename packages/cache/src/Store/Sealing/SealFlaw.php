<?php

declare(strict_types=1);

namespace Larder\Store\Sealing;

/**
 * Why a sealed store does not take what lies on its server. Named as the causes of Larder\FailureKind are.
 *
 * @internal
 */
enum SealFlaw
{
    case Unsealed;
    case SealKeyUnknown;
    case SealCipherGone;
    case SealBroken;

    public function sentence(): string
    {
        return match ($this) {
            self::Unsealed => 'what is not sealed: another program or a store without a seal has written it, or '
                . 'increment(), whose numbers are read by get() with a Seal of counters: true',
            self::SealKeyUnknown => 'what is sealed by a key that is not in the list here: give all hosts the same '
                . 'keys, and keep an old one until its values have ended',
            self::SealCipherGone => 'what is sealed by a cipher whose PHP extension, sodium or openssl, is not loaded '
                . 'here',
            self::SealBroken => 'what does not open: it was changed or cut off, or lay under another key or in another '
                . 'namespace. Somebody who should not writes on this server, or a proxy damages values',
        };
    }
}
