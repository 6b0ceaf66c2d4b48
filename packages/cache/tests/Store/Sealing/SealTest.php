<?php

declare(strict_types=1);

namespace Larder\Tests\Store\Sealing;

use Exception;
use Larder\Exception\InvalidSeal;
use Larder\Store\Seal;
use Larder\Store\Sealing\Cipher;
use Larder\Store\Sealing\SealFlaw;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;

#[CoversClass(Seal::class)]
#[CoversClass(Cipher::class)]
#[CoversClass(SealFlaw::class)]
#[CoversClass(InvalidSeal::class)]
final class SealTest extends TestCase
{
    private const BOUND = 'larder redis 4:shop price';

    /** @return iterable<string, array{'xchacha20-poly1305'|'aes-256-gcm'}> */
    public static function ciphers(): iterable
    {
        yield 'sodium' => ['xchacha20-poly1305'];
        yield 'openssl' => ['aes-256-gcm'];
    }

    /** @param 'xchacha20-poly1305'|'aes-256-gcm' $cipher */
    #[DataProvider('ciphers')]
    public function testWhatWasSealedOpensAsItWas(string $cipher): void
    {
        $seal = new Seal(Seal::newKey(), $cipher);
        foreach (['', "\0", 'text', random_bytes(5000)] as $bytes) {
            $sealed = $seal->sealed($bytes, self::BOUND);

            self::assertSame($bytes, $seal->opened($sealed, self::BOUND));
            self::assertNotSame($sealed, $seal->sealed($bytes, self::BOUND), 'no random number comes twice');
            self::assertTrue(\strlen($bytes) < 4 || !str_contains($sealed, $bytes));
            self::assertSame(SealFlaw::SealBroken, $seal->opened($sealed, self::BOUND . 's'));
        }
    }

    /** @param 'xchacha20-poly1305'|'aes-256-gcm' $cipher */
    #[DataProvider('ciphers')]
    public function testEachBitAndEachByteCounts(string $cipher): void
    {
        $seal = new Seal([Seal::newKey(), Seal::newKey()], $cipher);
        $sealed = $seal->sealed('value', self::BOUND);
        for ($at = 0; $at < \strlen($sealed); ++$at) {
            for ($bit = 1; $bit < 256; $bit <<= 1) {
                $changed = $sealed;
                $changed[$at] = $changed[$at] ^ \chr($bit);
                self::assertInstanceOf(SealFlaw::class, $seal->opened($changed, self::BOUND), "bit $bit of byte $at");
            }
            $cut = $seal->opened(substr($sealed, 0, $at), self::BOUND);
            self::assertSame($at < 6 ? SealFlaw::Unsealed : SealFlaw::SealBroken, $cut);
        }
        self::assertSame(SealFlaw::SealBroken, $seal->opened($sealed . "\0", self::BOUND));
    }

    public function testTheFirstKeySealsAndAllOpen(): void
    {
        [$old, $new] = [Seal::newKey(), Seal::newKey()];
        $before = new Seal($old);
        $during = new Seal([$new, $old]);
        $after = new Seal($new);
        $sealed = $before->sealed('before', self::BOUND);
        $anew = $during->sealed('during', self::BOUND);

        self::assertSame('before', $during->opened($sealed, self::BOUND));
        self::assertSame('during', $after->opened($anew, self::BOUND));
        self::assertSame(SealFlaw::SealKeyUnknown, $after->opened($sealed, self::BOUND));
        self::assertSame(SealFlaw::SealKeyUnknown, $before->opened($anew, self::BOUND));
        $head = substr($anew, 0, 6);
        self::assertSame(SealFlaw::SealBroken, $during->opened($head . substr($sealed, 6), self::BOUND), 'another id');
    }

    public function testHostsOfDifferentCiphersReadEachOther(): void
    {
        $key = Seal::newKey();
        $seals = [new Seal($key, 'xchacha20-poly1305'), new Seal($key, 'aes-256-gcm'), new Seal($key)];
        foreach ($seals as $seal) {
            foreach ($seals as $other) {
                self::assertSame('value', $other->opened($seal->sealed('value', self::BOUND), self::BOUND));
            }
        }
        $sealed = $seals[0]->sealed('value', self::BOUND);
        $sealed[1] = 'a';
        self::assertSame(SealFlaw::SealBroken, $seals[0]->opened($sealed, self::BOUND), 'another cipher');
    }

    public function testKeysAreNotShown(): void
    {
        $key = Seal::newKey();
        $seal = new Seal($key);
        $shown = var_export($seal, true) . print_r($seal, true) . print_r((array) $seal, true);

        self::assertStringNotContainsString($key, $shown);
        self::assertStringNotContainsString((string) base64_decode($key, true), $shown);
        try {
            serialize($seal);
            self::fail('keys would lie in the text');
        } catch (Exception $exception) {
            self::assertStringContainsString('not allowed', $exception->getMessage());
        }
    }

    /** @return iterable<string, array{list<string>, string|null, string}> */
    public static function wrong(): iterable
    {
        $key = Seal::newKey();
        yield 'no key' => [[], null, 'A seal needs a key'];
        yield 'a short one' => [[$key, base64_encode(random_bytes(31))], null, 'Key 2 of a seal is none'];
        yield 'a password' => [['secret'], null, 'Key 1 of a seal is none'];
        yield 'raw bytes' => [[random_bytes(32)], null, 'Key 1 of a seal is none'];
        yield 'one twice' => [[$key, Seal::newKey(), $key], null, 'Key 3 of a seal is in the list twice'];
        yield 'a cipher' => [[$key], 'aes-256-cbc', 'there are "xchacha20-poly1305" and "aes-256-gcm"'];
    }

    /** @param list<string> $keys */
    #[DataProvider('wrong')]
    public function testASealThatIsNoneIsRefused(array $keys, ?string $cipher, string $message): void
    {
        try {
            // @phpstan-ignore argument.type
            new Seal($keys, $cipher);
            self::fail('taken');
        } catch (InvalidSeal $exception) {
            self::assertStringContainsString($message, $exception->getMessage());
            foreach ($keys as $key) {
                self::assertStringNotContainsString($key, $exception->getMessage());
            }
        }
    }

    /** @return iterable<string, array{string, string, string}> functions that are not there, code, what it says */
    public static function lacking(): iterable
    {
        $sodium = 'sodium_crypto_aead_xchacha20poly1305_ietf_encrypt';
        $both = "$sodium,openssl_encrypt";
        yield 'none' => [
            $both,
            'new S($key)',
            'A seal needs the PHP extension sodium or openssl, and neither is loaded.',
        ];
        yield 'sodium' => [
            $sodium,
            'new S($key, "xchacha20-poly1305")',
            'The cipher xchacha20-poly1305 needs the PHP extension sodium, which is not loaded.',
        ];
        yield 'the other one' => [$sodium, 'echo (new S($key))->sealed("v", "b")[1]', 'a'];
        yield 'what the other has sealed' => [
            'openssl_encrypt',
            'echo (new S($key))->opened("\x7fa" . substr((new S($key))->sealed("v", "b"), 2), "b")->name',
            'SealCipherGone',
        ];
    }

    #[DataProvider('lacking')]
    public function testWithoutAnExtensionItIsSaid(string $lacks, string $code, string $says): void
    {
        $loader = var_export(\dirname(__DIR__, 5) . '/vendor/autoload.php', true);
        $program = "use Larder\\Store\\Seal as S; require $loader"
            . '; $key = S::newKey(); try { ' . $code . '; } catch (Larder\Exception\InvalidSeal $e) '
            . '{ echo $e->getMessage(); }';
        exec(implode(' ', array_map(
            escapeshellarg(...),
            [PHP_BINARY, '-d', "disable_functions=$lacks", '-r', $program],
        )), $lines);

        self::assertSame($says, implode("\n", $lines));
    }
}
