<?php

declare(strict_types=1);

namespace Larder\Bench\Tests\Workload\Eav;

use Larder\Bench\Exception\Failed;
use Larder\Bench\Server\Kind;
use Larder\Bench\Subject\Context;
use Larder\Bench\Workload\Eav\CustomerQuery;
use Larder\Bench\Workload\Eav\Customers;
use Larder\Bench\Workload\Eav\MemcachedCustomers;
use Larder\Bench\Workload\Eav\Shop;
use Larder\Bench\Workload\Eav\SqlCustomers;
use Larder\Testbed\Server\Endpoint;
use Larder\Testbed\Server\MariaDb;
use Larder\Testbed\Server\Memcached;
use Larder\Testbed\Server\Server;
use Larder\Testbed\TemporaryDirectory;
use PDO;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;

/** All subjects give the right answers, whatever numbers the attributes have. */
#[CoversClass(MemcachedCustomers::class)]
#[CoversClass(CustomerQuery::class)]
#[CoversClass(SqlCustomers::class)]
final class CustomersTest extends TestCase
{
    private const CUSTOMERS = 1200;

    private static TemporaryDirectory $directory;

    /** @var array<string, Server> */
    private static array $servers = [];

    public static function setUpBeforeClass(): void
    {
        self::$directory = new TemporaryDirectory();
        self::$servers = [
            Kind::MariaDb->value => new MariaDb(self::$directory->path . '/mariadb'),
            Kind::Memcached->value => new Memcached(self::$directory->path . '/memcached'),
        ];
    }

    public static function tearDownAfterClass(): void
    {
        array_map(static fn(Server $server) => $server->stop(), self::$servers);
        self::$servers = [];
        self::$directory->remove();
    }

    public function testAllGiveTheSameAnswersForTwoInstallations(): void
    {
        $shop = new Shop(self::CUSTOMERS);
        foreach (['source', 'other'] as $ids) {
            foreach (CustomerQuery::subjects() as $definition) {
                $subject = ($definition->make)();
                self::assertInstanceOf(Customers::class, $subject);
                self::assertInstanceOf($definition->class, $subject);
                $subject->connect(self::place($definition->needs, $ids));
                foreach ([self::CUSTOMERS, 50] as $page) {
                    $subject->install($shop, $ids, $page);
                    $what = \sprintf('%s, numbers: %s, %d at once', $definition->id, $ids, $page);
                    for ($from = 1; $from <= self::CUSTOMERS; $from += $page) {
                        self::assertSame(
                            $shop->addresses($from, $from + $page - 1),
                            $subject->addresses($from, $from + $page - 1),
                            $what,
                        );
                        self::assertSame(
                            $shop->zipCodes($from, $from + $page - 1),
                            $subject->zipCodes($from, $from + $page - 1),
                            $what,
                        );
                    }
                }
                $subject->close();
            }
        }
    }

    /**
     * A statement that contains the numbers of the source gives the same rows where the attributes have these numbers,
     * and nonsense elsewhere.
     */
    public function testAgreesWithNumbersWrittenDown(): void
    {
        $shop = new Shop(self::CUSTOMERS);
        foreach (['source' => true, 'other' => false] as $ids => $same) {
            $context = self::place(Kind::MariaDb, 'numbers ' . $ids);
            $subject = new SqlCustomers(lookUpOnce: true);
            $subject->connect($context);
            $subject->install($shop, $ids, self::CUSTOMERS);
            $answer = $subject->zipCodes(1, self::CUSTOMERS);
            $subject->close();

            self::assertSame($same, $answer === self::byNumbers($context, '14', '13', '29', '1'));
            self::assertSame($shop->zipCodes(1, self::CUSTOMERS), $answer);
        }
    }

    public function testDoesNotTakeARowThatIsGoneForOneThatNeverWas(): void
    {
        $shop = new Shop(100);
        foreach ([new MemcachedCustomers(false), new MemcachedCustomers(true)] as $subject) {
            $context = self::place(Kind::Memcached, 'gone');
            $subject->connect($context);
            $subject->install($shop, 'source', 100);
            $client = new \Memcached();
            $client->addServer($context->endpoints[0]->host, $context->endpoints[0]->port);
            foreach (['customer:17', 'addresses:1-100'] as $key) {
                $client->delete($context->prefix . 'shop:' . $key);
            }
            try {
                $subject->addresses(1, 100);
                self::fail('nothing was missed');
            } catch (Failed $failed) {
                self::assertStringContainsString('not there', $failed->getMessage());
            }
        }
    }

    public function testSaysThatThereIsNoServer(): void
    {
        foreach ([new MemcachedCustomers(false), new MemcachedCustomers(true)] as $subject) {
            try {
                $subject->connect(new Context([new Endpoint('127.0.0.1', 1)], '/nowhere'));
                self::fail('connected to nothing');
            } catch (Failed $failed) {
                self::assertStringContainsString('127.0.0.1:1', $failed->getMessage());
            }
        }
        $this->expectException(Failed::class);
        (new SqlCustomers(lookUpOnce: false))->addresses(1, 2);
    }

    public function testKnowsTwoInstallations(): void
    {
        self::assertNotEquals(SqlCustomers::ids('source'), SqlCustomers::ids('other'));

        $this->expectException(\InvalidArgumentException::class);
        SqlCustomers::ids('third');
    }

    private static function place(Kind $kind, string $prefix): Context
    {
        $server = self::$servers[$kind->value] ?? null;

        return new Context(
            $server === null ? [] : [$server->endpoint()],
            self::$directory->path,
            prefix: str_replace(' ', '-', $prefix) . ':',
        );
    }

    /** @return list<array<mixed>> */
    private static function byNumbers(
        Context $context,
        string $billing,
        string $shipping,
        string $zipCode,
        string $type,
    ): array {
        $extra = $context->endpoints[0]->extra;
        $connection = new PDO(
            'mysql:unix_socket=' . $context->endpoints[0]->socket . ';dbname=' . $extra['database'],
            $extra['user'],
            $extra['password'],
        );
        $entities = SqlCustomers::quoted($context->prefix, 'customer_entity');
        $integers = SqlCustomers::quoted($context->prefix, 'customer_entity_int');
        $texts = SqlCustomers::quoted($context->prefix, 'customer_address_entity_varchar');
        $statement = $connection->prepare(<<<SQL
            SELECT entity.email, b.value default_billing, s.value default_shipping,
                bz.value default_billing_zipcode, sz.value default_shipping_zipcode
            FROM $entities entity
            LEFT JOIN $integers b ON b.attribute_id = $billing AND b.entity_id = entity.entity_id
            LEFT JOIN $integers s ON s.attribute_id = $shipping AND s.entity_id = entity.entity_id
            LEFT JOIN $texts bz ON bz.attribute_id = $zipCode AND bz.entity_id = b.value
            LEFT JOIN $texts sz ON sz.attribute_id = $zipCode AND sz.entity_id = s.value
            WHERE entity.is_active = 1 AND entity.entity_type_id = $type
            ORDER BY entity.entity_id
            SQL);
        $statement->execute();
        /** @var list<array<mixed>> */
        return $statement->fetchAll(PDO::FETCH_ASSOC);
    }
}
