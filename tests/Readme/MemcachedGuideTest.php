<?php

declare(strict_types=1);

namespace Larder\Tests\Readme;

use Larder\Testbed\Server\Memcached;
use Larder\Testbed\Server\Ports;
use Larder\Testbed\Server\Program;
use Larder\Testbed\TemporaryDirectory;
use OpenSSLAsymmetricKey;
use OpenSSLCertificate;
use PHPUnit\Framework\Attributes\CoversNothing;
use PHPUnit\Framework\TestCase;

/** Runs what docs/how-to/memcached.md shows, on servers at ports of their own, and compares what it prints. */
#[CoversNothing]
final class MemcachedGuideTest extends TestCase
{
    private TemporaryDirectory $directory;

    /** @var list<Memcached> */
    private array $servers = [];

    protected function setUp(): void
    {
        $this->directory = new TemporaryDirectory();
    }

    protected function tearDown(): void
    {
        foreach ($this->servers as $server) {
            $server->stop();
        }
        $this->directory->remove();
    }

    public function testItsExamplesPrintWhatTheyShow(): void
    {
        (new ShownPage('docs/how-to/memcached.md', $this->directory->path, $this->places(), []))->assertExamplesPrint();
    }

    /** @return array<string, string> what the guide names, and what it is here */
    private function places(): array
    {
        [$authority, $certificate] = $this->certificates();
        file_put_contents($this->directory->path . '/users', "shop:secret\n");

        return [
            '127.0.0.1:11211' => $this->start(),
            '127.0.0.1:11212' => $this->start(),
            '127.0.0.1:11213' => $this->start('-Z', '-o', "ssl_chain_cert=$certificate,ssl_key=$certificate"),
            '127.0.0.1:11214' => $this->start('-Y', $this->directory->path . '/users'),
            '/etc/ssl/cache-ca.pem' => $authority,
            // Last, so that none of them takes it.
            '127.0.0.1:9' => '127.0.0.1:' . Ports::free(),
        ];
    }

    /** @return string host:port */
    private function start(string ...$options): string
    {
        if (Program::find('memcached') === null) {
            self::markTestSkipped('needs memcached');
        }
        $directory = $this->directory->path . '/memcached-' . \count($this->servers);
        $this->servers[] = $server = new Memcached($directory, options: array_values($options));

        return $server->endpoint()->address();
    }

    /** @return array{string, string} files: the authority's certificate; a server's, with its key */
    private function certificates(): array
    {
        file_put_contents($this->directory->path . '/openssl.cnf', <<<'TEXT'
            [req]
            default_bits = 2048
            distinguished_name = subject
            [subject]
            [authority]
            basicConstraints = critical, CA:true
            [server]
            subjectAltName = DNS:cache.internal
            TEXT);
        $options = [
            'config' => $this->directory->path . '/openssl.cnf',
            'digest_alg' => 'sha256',
            'private_key_type' => OPENSSL_KEYTYPE_EC,
            'curve_name' => 'prime256v1',
        ];
        $sign = static function (
            string $name,
            ?OpenSSLCertificate $by,
            OpenSSLAsymmetricKey $with,
            OpenSSLAsymmetricKey $key,
        ) use ($options): OpenSSLCertificate {
            $request = openssl_csr_new(['commonName' => $name], $key, $options);
            self::assertIsObject($request);
            $certificate = openssl_csr_sign(
                $request,
                $by,
                $with,
                1,
                $options + ['x509_extensions' => $by === null ? 'authority' : 'server'],
                random_int(1, 1 << 30),
            );
            self::assertInstanceOf(OpenSSLCertificate::class, $certificate);

            return $certificate;
        };
        $authorityKey = openssl_pkey_new($options);
        $key = openssl_pkey_new($options);
        self::assertNotFalse($authorityKey);
        self::assertNotFalse($key);
        $authority = $sign('the authority', null, $authorityKey, $authorityKey);
        $certificate = $sign('cache.internal', $authority, $authorityKey, $key);
        openssl_x509_export_to_file($authority, $this->directory->path . '/authority.pem');
        openssl_x509_export($certificate, $pem);
        openssl_pkey_export($key, $keyPem, null, $options);
        self::assertIsString($pem);
        self::assertIsString($keyPem);
        file_put_contents($this->directory->path . '/server.pem', $pem . $keyPem);

        return [$this->directory->path . '/authority.pem', $this->directory->path . '/server.pem'];
    }
}
