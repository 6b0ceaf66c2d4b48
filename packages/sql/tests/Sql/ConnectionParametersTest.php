<?php

declare(strict_types=1);

namespace Larder\Tests\Sql;

use Larder\Sql\Schema\ConnectionParameters;
use Larder\Sql\Tracker\RecordingMysqli;
use Larder\Testbed\Server\Endpoint;
use Larder\Testbed\Server\MariaDb;
use Larder\Testbed\TemporaryDirectory;
use mysqli;
use OpenSSLAsymmetricKey;
use OpenSSLCertificate;
use OpenSSLCertificateSigningRequest;
use PDOException;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\Attributes\RequiresPhpExtension;
use PHPUnit\Framework\TestCase;
use Psr\Log\NullLogger;

/** Larder's second connection goes where the mysqli goes, and as safely: here to an account that needs TLS. */
#[CoversClass(ConnectionParameters::class)]
#[RequiresPhpExtension('mysqli')]
#[RequiresPhpExtension('openssl')]
#[RequiresPhpExtension('pdo_mysql')]
final class ConnectionParametersTest extends TestCase
{
    private static TemporaryDirectory $directory;

    private static MariaDb $server;

    private static Endpoint $endpoint;

    public static function setUpBeforeClass(): void
    {
        self::$directory = new TemporaryDirectory();
        $path = self::$directory->path;
        self::certify($path . '/good', $path . '/key');
        self::certify($path . '/other', $path . '/other-key');
        self::$server = new MariaDb($path . '/server', [0], [
            'ssl-cert' => $path . '/good', 'ssl-key' => $path . '/key',
        ]);
        self::$endpoint = self::$server->endpoint();
        ['user' => $user, 'password' => $password] = self::$endpoint->extra;
        $plain = new mysqli(null, $user, $password, 'bench', null, self::$endpoint->socket);
        $plain->query("CREATE USER safe@'%' IDENTIFIED BY 'word' REQUIRE SSL");
        $plain->query("GRANT ALL ON bench.* TO safe@'%'");
    }

    public static function tearDownAfterClass(): void
    {
        self::$server->stop();
        self::$directory->remove();
    }

    /** @return iterable<string, array{string|null, int}> */
    public static function ways(): iterable
    {
        yield 'a certificate' => ['good', 0];
        yield 'the flag alone' => [null, MYSQLI_CLIENT_SSL];
        yield 'a flag for a certificate that is not checked' => [
            'other', MYSQLI_CLIENT_SSL | MYSQLI_CLIENT_SSL_DONT_VERIFY_SERVER_CERT,
        ];
    }

    #[DataProvider('ways')]
    public function testTheSecondConnectionIsEncryptedAsTheFirst(?string $certificate, int $flags): void
    {
        $mysqli = $this->connect($certificate, $flags);

        self::assertNotSame('', self::cipher($mysqli->own()->rows("SHOW SESSION STATUS LIKE 'Ssl_cipher'")));
        $second = $mysqli->tracker()->second();
        self::assertNotSame('', self::cipher($second->rows("SHOW SESSION STATUS LIKE 'Ssl_cipher'")));
    }

    public function testTheSecondConnectionChecksTheSameCertificate(): void
    {
        $parameters = new ConnectionParameters();
        $parameters->tls(null, null, self::$directory->path . '/other', null, null);
        $parameters->connected('127.0.0.1', 'safe', 'word', 'bench', self::$endpoint->port, null, 0);

        $this->expectException(PDOException::class);
        @$parameters->open();
    }

    private function connect(?string $certificate, int $flags): RecordingMysqli
    {
        $mysqli = new RecordingMysqli(logger: new NullLogger());
        if ($certificate !== null) {
            $mysqli->ssl_set(null, null, self::$directory->path . '/' . $certificate, null, null);
        }
        $mysqli->real_connect('127.0.0.1', 'safe', 'word', 'bench', self::$endpoint->port, null, $flags);

        return $mysqli;
    }

    /** @param list<array<string, scalar|null>> $rows */
    private static function cipher(array $rows): string
    {
        return (string) ($rows[0]['Value'] ?? '');
    }

    private static function certify(string $certificate, string $key): void
    {
        $pair = openssl_pkey_new(['private_key_bits' => 2048, 'private_key_type' => OPENSSL_KEYTYPE_RSA]);
        self::assertInstanceOf(OpenSSLAsymmetricKey::class, $pair);
        $signer = $pair;
        $request = openssl_csr_new(['commonName' => '127.0.0.1'], $pair);
        self::assertInstanceOf(OpenSSLCertificateSigningRequest::class, $request);
        $signed = openssl_csr_sign($request, null, $signer, 2);
        self::assertInstanceOf(OpenSSLCertificate::class, $signed);
        openssl_x509_export_to_file($signed, $certificate);
        openssl_pkey_export_to_file($signer, $key);
        chmod($key, 0o644);
        chmod($certificate, 0o644);
    }
}
