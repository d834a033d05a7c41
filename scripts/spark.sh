# What the launchers of Spark in the source tree and in a bundle share. To be sourced by bash.

# Becomes spark-submit with one of the module's programs:
#   submit JAVA_HOME FOLDER_OF_JAVA_OPTIONS LIBRARY_JAR,... MODULE_JAR CLASS [ARGUMENT]...
# SPARK_HOME names Spark, SPARK_MASTER the cluster, and SPARK_OPTIONS has more options of spark-submit.
submit() {
    export JAVA_HOME=$1 SPARK_SCALA_VERSION=2.13 SPARK_LOCAL_IP=127.0.0.1 SPARK_LOCAL_HOSTNAME=localhost
    exec "$1/bin/java" "@$2/java-options" ${SPARK_JAVA_OPTIONS:-} -cp "$SPARK_HOME/jars/*" \
        org.apache.spark.deploy.SparkSubmit --master "${SPARK_MASTER:-local-cluster[2,1,1024]}" --driver-memory 2g \
        --conf spark.ui.enabled=false --conf spark.log.level=ERROR ${SPARK_OPTIONS:-} --jars "$3" --class "$5" "$4" \
        "${@:6}"
}
