--TEST--
tls:// servers: a file that cannot be used is named at once
--EXTENSIONS--
larder
openssl
--FILE--
<?php
require __DIR__ . '/servers_tls.inc';
$certificates = new Certificates();
$garbage = $certificates->write('garbage.pem', 'no PEM');
$client = $certificates->issue('DNS:client');
$locked = $certificates->issue('DNS:client', password: 'secret');

function refuses(mixed ...$options): void
{
    try {
        new Larder\Memcached('tls://127.0.0.1:1', ...$options);
        echo "taken\n";
    } catch (ValueError $error) {
        echo preg_replace('~/\S*/larder-\w+/(\w+)\.pem~', '<$1>', $error->getMessage()), "\n";
    }
}

refuses(tlsCa: dirname($garbage) . '/absent.pem');
refuses(tlsCa: $garbage);
refuses(tlsCert: $garbage);
refuses(tlsCert: $client, tlsKey: $garbage);
refuses(tlsCert: $client, tlsKey: $locked);
refuses(tlsKey: $client);
refuses(tlsCa: $certificates->authority, tlsCert: $client);
?>
--EXPECTF--
%S<absent> cannot be read as certificate authorities: No such file or directory
%S<garbage> cannot be read as certificate authorities: %s
%S<garbage> cannot be read as a certificate: %s
%S<garbage> cannot be read as the certificate's key: %s
%S<%x> cannot be read as the certificate's key: it has a password
%S<%x> is a key without a certificate
taken
